import type { TurnRequest } from '../../journal/effects/effect.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { codeSpan, fenced } from '../../kit/pure/text.ts';
import { countAfterReview } from '../../plans/review/turn.ts';
import { mistypedPlaceholders } from '../shared/placeholders.ts';
import { answersText, promptBlock, promptLine, promptList } from '../shared/prompt-text.ts';
import { type ReviewMaterial, reviewInstructions, reviewMaterialLines } from './review-prompt.ts';

type Value = (request: TurnPromptRequest) => string;

const values: Readonly<Record<string, Value>> = {
  ITERATION: ({ iteration }) => `${iteration}`,
  MAX_ITERATIONS: ({ maximum }) => (maximum === 0 ? 'no limit' : `${maximum}`),
  MODE: ({ turn }) => turn.mode,
  STORY: ({ turn }) => promptLine(turn.story.id),
  STORY_TITLE: ({ turn }) => promptLine(turn.story.title),
  REVIEW_RANGE: ({ turn }) => turn.ranges.map(({ from, to }) => `${from}..${to}`).join(', ') || 'none',
  REVIEW_CAP: ({ spec }) => `${spec.cap}`,
  DIR: ({ spec }) => promptLine(spec.folder),
  SKIP_REVIEW: ({ spec }) => `${spec.skipReview}`,
};

/** `$RALPH_MODE`, and `{{RALPH_MODE}}` as the original has it. The longest first, so that no name matches the beginning of a longer one. */
const NAME = Object.keys(values)
  .sort((one, other) => other.length - one.length)
  .join('|');
const PLACEHOLDER = new RegExp(`\\$RALPH_(${NAME})|\\{\\{[ \\t]*RALPH_(${NAME})[ \\t]*\\}\\}`, 'g');

/** The mistyped placeholders of a template, one sentence with a line number each. */
export function turnTemplateProblems(template: string): readonly string[] {
  return mistypedPlaceholders(template, { pattern: /(?:\$|\{\{[ \t]*)RALPH_([A-Z_]+)/g, names: Object.keys(values), show: (name) => `$RALPH_${name}` });
}

/** Matches old templates, which tell reviewers to write their verdict into the list. The section below the template corrects them. */
const WRITES_VERDICTS =
  /AUTO-APPROVED AT CAP|review: \[|set\b[^\n]*reviewStatus[^\n]*approved|(?:raise|increment|increase)\b[^\n]*reviewCount|reviewCount[^\n]*\+/i;

export const tellsToWriteVerdicts = (template: string) => WRITES_VERDICTS.test(template);

/**
 * The prompt of a turn (seed 003): the template, whose inserted values are not expanded again, and always our own section
 * below it. So a template without any placeholder works too.
 */
export function buildTurnPrompt(request: TurnPromptRequest): string {
  const told = request.template.replaceAll('\r\n', '\n').replace(PLACEHOLDER, (whole, one, other) => values[one ?? other]?.(request) ?? whole);
  return `${[told.trim(), thisIteration(request)].filter(Boolean).join('\n\n')}\n`;
}

/**
 * The facts of this iteration, whatever the template says. A reviewer sees the story, the commits and the rules, but nothing that its author
 * noted or said. Answers of people are shown to every agent, because they are not the author's words.
 */
function thisIteration(request: TurnPromptRequest): string {
  return [
    '## This iteration',
    ...about(request),
    criteria(request),
    ...(request.shown === null ? [checks(request)] : reviewMaterialLines(request, request.shown)),
    ...reviewFeedback(request),
    ['What to do now:', ...turnOrders(request).map((order) => `- ${order}`)].join('\n'),
    ...answers(request),
    ...lastTry(request),
  ].join('\n\n');
}

function about({ turn: { mode, story }, iteration, maximum, spec }: TurnPromptRequest): readonly string[] {
  const count = maximum === 0 ? `Iteration ${iteration}` : `Iteration ${iteration} of ${maximum}`;
  const review = mode === 'review' ? ` This is its review ${countAfterReview(story.reviewCount, spec.cap)} of ${spec.cap}.` : '';
  const description = promptBlock(story.description);
  return [
    `${count}, mode ${codeSpan(mode)}, story ${codeSpan(promptLine(story.id))}: ${promptLine(story.title)}.${review}`,
    ...(description === '' ? [] : [fenced(description)]),
  ];
}

function criteria({ turn: { story } }: TurnPromptRequest): string {
  return ['Acceptance criteria:', ...story.acceptanceCriteria.map((criterion, index) => `${index + 1}. ${promptLine(criterion)}`)].join('\n');
}

function checks({ plan }: TurnPromptRequest): string {
  if (plan.verifyCommands.length === 0) return 'There are no verify commands: look for the tests of the project and run those.';
  return [
    'Verify commands, which the loop runs itself after you have ended; nothing counts while one of them is red:',
    ...promptList(plan.verifyCommands),
  ].join('\n');
}

function reviewFeedback({ turn: { mode, story } }: TurnPromptRequest): readonly string[] {
  if (mode !== 'review-fix') return [];
  return [`This is what the reviewer wants to be changed:\n\n${fenced(promptBlock(story.reviewFeedback))}`];
}

function answers({ turn }: TurnPromptRequest): readonly string[] {
  const text = answersText(turn.answers, 'story');
  return text === '' ? [] : [text];
}

function lastTry({ turn: { feedback } }: TurnPromptRequest): readonly string[] {
  const text = promptBlock(feedback);
  return text === '' ? [] : [`The last turn of this story did not get through. This is why; see to it first:\n\n${fenced(text)}`];
}

/** The instructions for this mode, one or two sentences per line. */
function turnOrders(request: TurnPromptRequest): readonly string[] {
  const { mode } = request.turn;
  switch (mode) {
    case 'implement':
      return request.spec.skipReview ? implementUnreviewed(request) : implement(request);
    case 'review':
      return reviewInstructions(request);
    case 'review-fix':
      return fix(request);
    default:
      return assertNever(mode);
  }
}

const idOf = ({ turn }: TurnPromptRequest) => promptLine(turn.story.id);
const formOf = ({ spec }: TurnPromptRequest) => codeSpan(promptLine(spec.plan));
const commitAll = (message: string) => `Commit everything with the message ${codeSpan(message)}, then end.`;
const title = (request: TurnPromptRequest) => `feat: [${idOf(request)}] - ${promptLine(request.turn.story.title)}`;

function implement(request: TurnPromptRequest): readonly string[] {
  return [
    'Implement this story and no other. Meet every acceptance criterion, run the verify commands, and read your own diff before you commit.',
    `In ${formOf(request)} set its \`reviewStatus\` to \`"needs_review"\` and write into its \`notes\` what was done.`,
    'Leave its `passes` false and its `reviewCount` as it is: a review in a fresh context decides.',
    commitAll(title(request)),
  ];
}

function implementUnreviewed(request: TurnPromptRequest): readonly string[] {
  return [
    'Implement this story and no other. Meet every acceptance criterion, run the verify commands, and read your own diff before you commit.',
    `Reviews are skipped in this run: when the verify commands are green, set its \`passes\` to true in ${formOf(request)} and write into its \`notes\` what was done.`,
    'Leave its `reviewStatus` and its `reviewCount` as they are.',
    commitAll(title(request)),
  ];
}

function fix(request: TurnPromptRequest): readonly string[] {
  return [
    'Answer every point of the feedback above, and work on no other story. Run the verify commands, and read your own diff before you commit.',
    `In ${formOf(request)} set its \`reviewStatus\` to \`"needs_review"\`, its \`reviewFeedback\` to \`""\`, and add to its \`notes\` what was done.`,
    'Leave its `passes` false and its `reviewCount` as it is: it is reviewed once more in a fresh context.',
    commitAll(`fix: [${idOf(request)}] - address review feedback`),
  ];
}

export type { ReviewMaterial } from './review-prompt.ts';

export interface TurnPromptRequest {
  /** The operator's `ralph/prompt.md`, or ours. */
  readonly template: string;
  readonly turn: TurnRequest;
  readonly iteration: number;
  /** 0 means no limit. */
  readonly maximum: number;
  /** The folder and the list in it, both relative to the top of the work tree. */
  readonly spec: { readonly folder: string; readonly plan: string; readonly cap: number; readonly skipReview: boolean };
  /** The commands that prove it. */
  readonly plan: Pick<StoryPlan, 'verifyCommands'>;
  /** What a reviewer is shown; null when the turn is not a review. */
  readonly shown: ReviewMaterial | null;
}
