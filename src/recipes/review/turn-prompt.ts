import { promptLine } from '../shared/prompt-text.ts';
import type { TurnPromptRequest } from './turn-prompt-request.ts';
import { thisIteration } from './turn-prompt-section.ts';

type Value = (request: TurnPromptRequest) => string;

const values: Readonly<Record<string, Value>> = {
  $RALPH_ITERATION: ({ iteration }) => `${iteration}`,
  $RALPH_MAX_ITERATIONS: ({ maximum }) => (maximum === 0 ? 'no limit' : `${maximum}`),
  $RALPH_MODE: ({ turn }) => turn.mode,
  $RALPH_STORY: ({ turn }) => promptLine(turn.story.id),
  $RALPH_STORY_TITLE: ({ turn }) => promptLine(turn.story.title),
  $RALPH_REVIEW_RANGE: ({ turn }) => turn.ranges.map(({ from, to }) => `${from}..${to}`).join(', ') || 'none',
  $RALPH_REVIEW_CAP: ({ spec }) => `${spec.cap}`,
  $RALPH_DIR: ({ spec }) => promptLine(spec.folder),
  $RALPH_SKIP_REVIEW: ({ spec }) => `${spec.skipReview}`,
};

/** The longest first, so that no name is taken for the beginning of a longer one. */
const PLACEHOLDER = new RegExp(
  Object.keys(values)
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace('$', '\\$'))
    .join('|'),
  'g',
);

/**
 * What an agent is told of its turn (seed 003): the template, with nothing put in looked into again, and always a section of our own
 * below it. So a template without any placeholder does as well.
 */
export function buildTurnPrompt(request: TurnPromptRequest): string {
  const told = request.template.replaceAll('\r\n', '\n').replace(PLACEHOLDER, (name) => values[name]?.(request) ?? name);
  return `${[told.trim(), thisIteration(request)].filter(Boolean).join('\n\n')}\n`;
}
