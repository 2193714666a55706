import type { View } from '../../engine/decide/recipe.ts';
import type { CleanContext, Failure } from '../../journal/effects/effect.ts';
import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import { codeSpan, fenced, oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { progressText } from '../../report/views/progress-text.ts';
import type { SettingsWith } from '../../settings/schema/run-settings.ts';
import { answersText, HOW_TO_ASK } from '../shared/prompt-text.ts';

export type LoopSettings = SettingsWith<'loop'>;

export interface CleanPromptRequest {
  readonly task: { readonly kind: 'task' | 'spec'; readonly text: string };
  readonly iteration: number;
  /** 0 means no limit. */
  readonly maximum: number;
  /** What the agent says when it is done; null: no claim is needed. */
  readonly tag: string | null;
  /** Shell commands. */
  readonly checks: readonly string[];
  /** Paths that no agent may change. */
  readonly protect: readonly string[];
  readonly context: CleanContext;
  /** Since the start of the run; null when git cannot tell. */
  readonly changes: SeenChanges | null;
  readonly isRepository: boolean;
  /** What was red in the previous iteration. */
  readonly failures: readonly Failure[];
  /** What people have answered to agents before this one. */
  readonly answers: readonly AnsweredQuestion[];
}

export interface SeenChanges {
  /** One line per file, and the totals. */
  readonly stat: string;
  /** The whole diff, or its beginning. */
  readonly patch: string;
  readonly isWhole: boolean;
}

const DIFF_CHARS = 5000;
const ERROR_CHARS = 1000;

/** The prompt of an agent with a clean context (seed 004): the task, the state of the loop, and the results of earlier iterations. */
export function buildCleanPrompt(request: CleanPromptRequest): string {
  const { task, iteration, failures, context, answers } = request;
  return [
    section(task.kind === 'spec' ? 'Task Specification' : 'Task', task.text.trim()),
    section('Iteration Instructions', instructions(request)),
    section('Answers to Questions', answersText(answers, 'task')),
    section('Changes from Previous Iterations', iteration > 1 ? changesText(request) : ''),
    section('Errors from Previous Iteration', failures.map(failureText).join('\n\n')),
    section('Execution Error', context.error === '' ? '' : fenced(truncateCodePoints(context.error, ERROR_CHARS))),
    section('Accumulated Progress', context.progress.trim()),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function section(heading: string, text: string): string {
  return text === '' ? '' : `## ${heading}\n\n${text}`;
}

function instructions({ iteration, maximum, tag, checks, protect, context }: CleanPromptRequest): string {
  const count = maximum === 0 ? `${iteration}` : `${iteration}/${maximum}`;
  return [
    `This is **iteration ${count}** of an automatic correction loop.`,
    'You start with a clean context: nothing of earlier iterations is remembered but the files of this workspace and what is written here. ' +
      'Look at what is there, then do what is missing of the task and mend what is wrong. Make checks pass by doing the work, never by weakening, skipping or removing them.',
    ...(checks.length === 0 ? [] : [checksText(checks, context.red_at_start)]),
    ...(protect.length === 0 ? [] : [protectText(protect)]),
    HOW_TO_ASK,
    tag === null ? 'The loop ends when all checks pass; it runs them itself after you have ended.' : tagText(tag),
  ].join('\n\n');
}

function checksText(checks: readonly string[], redAtStart: readonly string[]): string {
  const lines = checks.map((check) => `- ${codeSpan(check)}${redAtStart.includes(check) ? ' (was red before the first iteration)' : ''}`);
  return ['**Checks your code must pass:**', ...lines].join('\n');
}

function protectText(protect: readonly string[]): string {
  const paths = protect.map(codeSpan).join(', ');
  return `These paths are protected: ${paths}. Ralph reverts whatever you change there, and the iteration does not count.`;
}

/** The word is in code and inside a sentence, so that an agent that only repeats this has claimed nothing. */
function tagText(tag: string): string {
  const word = tag.trim();
  return (
    `When the whole task is done and every check passes, end your answer with ${codeSpan(word)} alone on a line of its own, without quotes, bold or a full stop; ` +
    `${codeSpan(`<${word}/>`)} counts as well. The word inside a sentence or in code does not count. ` +
    'The loop then runs the checks itself. Do not say it while anything is left to do.'
  );
}

/** The summary comes first and is complete: cutting the diff never hides that a file has changed. */
function changesText({ changes, isRepository }: CleanPromptRequest): string {
  if (!isRepository) return 'This is not a git repository, so there is no diff: look at the files themselves.';
  if (changes === null) return 'Git cannot tell what has changed, so there is no diff: look at the files themselves.';
  if (changes.stat.trim() === '' && changes.patch.trim() === '') return '';
  const stat = changes.stat.trim() === '' ? [] : [fenced(trimLines(changes.stat), 'text')];
  return ['Everything that was changed since the start of the loop, new files included:', ...stat, ...diffBlock(changes)].join('\n\n');
}

function diffBlock({ patch, isWhole }: SeenChanges): readonly string[] {
  if (patch.trim() === '') return [];
  const shown = truncateCodePoints(patch, DIFF_CHARS);
  const isCut = !isWhole || shown !== patch;
  return [fenced(isCut ? `${shown.replace(/\n$/, '')}\n... (diff truncated)` : shown, 'diff')];
}

/** A failure without a check, such as why a claim was not accepted, is a sentence of the loop. */
function failureText({ check, message }: Failure): string {
  return check === '' ? message : `### ${oneLine(check)}\n\n${fenced(message)}`;
}

/** Removes surrounding blank lines; the indentation of the first line stays. */
const trimLines = (text: string) => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

/** What a fresh agent of a loop learns about earlier iterations. The prompt of a run is the operator's own. */
export function cleanContext({ state }: View): CleanContext {
  const entries = state.closed.map(({ entry }) => entry);
  return {
    since: state.startTree,
    error: entries.at(-1)?.error ?? '',
    progress: entries.length === 0 ? '' : progressText(entries),
    red_at_start: (state.baseline ?? []).filter(({ green }) => !green).map(({ command }) => command),
  };
}
