import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { StoryMode } from '../../../journal/words/story.ts';
import { storyName } from '../../../plans/review/story-name.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { shorten } from '../../../report/console/excerpt.ts';

const TEXT_CHARS = 60;
const deed: Readonly<Record<StoryMode, string>> = { implement: 'implements', review: 'reviews', 'review-fix': 'fixes' };

/** `codex reviews US-001`; null for an agent that works on no story. */
export function turnText({ turn }: RunAgent, { run }: RunState): string | null {
  if (!turn || !run) return null;
  const { agent, stories } = run.settings;
  const { command } = (turn.mode === 'review' ? stories?.reviewAgent : null) ?? agent;
  return `${shorten(command, TEXT_CHARS)} ${deed[turn.mode]} ${storyName(turn.story.id)}`;
}

/** What a run on stories waits for while nothing of it is in flight; null: for nothing that is worth a word. */
export function storiesRestText({ stories: { trouble, questions }, open }: RunState): string | null {
  if (open.length > 0) return null;
  if (trouble !== null) return `looking again at the stories: ${shorten(trouble.why, TEXT_CHARS)}`;
  const asked = questions.findLast(({ answer }) => answer === null);
  return asked === undefined ? null : `waiting for an answer about ${storyName(asked.story)}: ${shorten(asked.text.trim(), TEXT_CHARS)}`;
}
