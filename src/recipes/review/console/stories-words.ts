import type { Story } from '../../../journal/words/story.ts';
import { storyName } from '../../../plans/review/story-name.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { AskedQuestion } from '../../../journal/state/stories-state.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { type Line, prose, span, type Tone } from '../../../report/console/line.ts';

const TEXT_CHARS = 300;

/** `[ralph] …`, where seed 003 says it in these words. */
export function ralphLine(text: string, tone: Tone = 'plain'): Line {
  return prose(span(`[ralph] ${text}`, tone));
}

export function storyIn({ stories: { plan } }: RunState, story: string): Story | undefined {
  return plan?.userStories.find(({ id }) => id === story);
}

/** `US-001 is blocked: no key`. */
export function questionText({ story, kind, text }: Pick<AskedQuestion, 'story' | 'kind' | 'text'>): string {
  return `${storyName(story)} ${kind === 'blocked' ? 'is blocked' : 'needs a decision'}: ${shorten(text.trim(), TEXT_CHARS)}`;
}

export const howToAnswer = 'ralph answer "…"';
