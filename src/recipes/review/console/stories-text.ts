import type { RunAgent } from '../../../journal/effects/effect.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { Story, StoryMode } from '../../../journal/words/story.ts';
import { storyName } from '../../../plans/review/turn.ts';
import { type Line, prose, span, type Tone } from '../../../report/console/line.ts';
import { shorten } from '../../../report/console/look.ts';
import type { StoriesSettings } from '../story-turn.ts';

/** `[ralph] …`, for the texts of seed 003. */
export function ralphLine(text: string, tone: Tone = 'plain'): Line {
  return prose(span(`[ralph] ${text}`, tone));
}

export function storyIn({ stories: { plan } }: RunState, story: string): Story | undefined {
  return plan?.userStories.find(({ id }) => id === story);
}

export const howToAnswer = 'ralph answer "…"';

const STATUS_CHARS = 60;
const deed: Readonly<Record<StoryMode, string>> = { implement: 'implements', review: 'reviews', 'review-fix': 'fixes' };

/** `codex reviews US-001`; null for an agent without a story. */
export function turnText({ turn }: RunAgent, { run }: RunState<StoriesSettings>): string | null {
  if (!turn || !run) return null;
  const { agent, stories } = run.settings;
  const { command } = (turn.mode === 'review' ? stories.reviewAgent : null) ?? agent;
  return `${shorten(command, STATUS_CHARS)} ${deed[turn.mode]} ${storyName(turn.story.id)}`;
}

/** What a run on stories waits for when no effect is running; null: nothing worth showing. */
export function storiesIdleText({ stories: { planProblem }, questions, open }: RunState): string | null {
  if (open.length > 0) return null;
  if (planProblem !== null) return `looking again at the stories: ${shorten(planProblem.why, STATUS_CHARS)}`;
  const asked = openQuestions({ questions }).at(-1);
  return asked === undefined ? null : `waiting for an answer about ${storyName(asked.task ?? '')}: ${shorten(asked.text.trim(), STATUS_CHARS)}`;
}
