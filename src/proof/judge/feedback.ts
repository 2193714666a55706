import type { Failure } from '../../journal/effects/effect.ts';
import type { Ending } from '../../journal/events/attempt.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { StoryTurn } from '../../journal/state/stories-state.ts';
import type { CurrentTask } from '../../journal/state/work-state.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { lastCodePoints, truncateCodePoints } from '../../kit/pure/text.ts';
import { protectedWords } from './acceptance.ts';
import { proofFailures } from './proof-words.ts';

export interface RedGuardrail {
  readonly command: string;
  readonly ending: Ending;
  /** Never cut, never a template. */
  readonly hint: string | null;
  readonly logFile: string;
  readonly output: string;
  /** How many code points of the output the agent gets; 0 or less means as many as a prompt may have. */
  readonly truncateChars: number;
}

/** The most of one output in a prompt, whatever the settings say. */
const MOST_TOLD = 1_000_000;

/** How many code points of an output the next prompt may contain. */
export function charsTold(truncateChars: number): number {
  return truncateChars <= 0 ? MOST_TOLD : Math.min(truncateChars, MOST_TOLD);
}

/** The feedback about a red guardrail. The heading says "(truncated)" whether or not anything was cut, because agents know it that way. */
export function guardrailMessage({ command, ending, hint, logFile, output, truncateChars }: RedGuardrail): string {
  return [
    `Guardrail "${command}" failed${howItFailed(ending)}.`,
    ...hintLines(hint),
    `Output file: ${logFile}`,
    'Output (truncated):',
    truncateCodePoints(output, charsTold(truncateChars), '... [truncated]'),
  ].join('\n');
}

/** The exit code if there is one, else what happened to it in words. */
function howItFailed(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return ` with exit code ${ending.code}`;
    case 'signalled':
      return `: ended by ${ending.signal}`;
    case 'stopped':
      return `: ${ending.cause === 'deadline' ? 'timed out' : 'stopped'}, ${ending.detail}`;
    case 'never-started':
      return `: could not be started, ${ending.message.replace(/\.$/, '')}`;
    case 'lost':
      return ': nobody saw how it ended';
    default:
      return assertNever(ending);
  }
}

export interface RedCheck {
  readonly ending: Ending;
  /** Never cut. */
  readonly hint?: string | null;
  readonly output: string;
  /** How many code points of the end of the output the agent gets; 0 or less means all of it. */
  readonly chars: number;
}

/** The feedback about a red check (seed 004): the operator's hint, and the end of its output after a line about its ending if that is unusual. */
export function checkMessage({ ending, hint, output, chars }: RedCheck): string {
  const told = lastCodePoints(output.trimEnd(), chars, '');
  return hintLines(hint)
    .concat([...unusual(ending), ...(told === '' ? [] : [told])].join('\n') || saidNothing(ending))
    .join('\n');
}

const hintLines = (hint: string | null | undefined): readonly string[] => (hint ? [`Hint: ${hint}`] : []);

/** A program that prints and exits with a code needs no explanation. */
function unusual(ending: Ending): readonly string[] {
  switch (ending.kind) {
    case 'exited':
      return [];
    case 'signalled':
      return [`Error: ended by ${ending.signal}`];
    case 'stopped':
      return [ending.cause === 'deadline' ? `Timeout (${ending.detail.replace(/^still running after /, '')})` : `Error: ${ending.detail}`];
    case 'never-started':
      return [`Error: ${ending.message}`];
    case 'lost':
      return ['Error: nobody saw how it ended'];
  }
}

function saidNothing(ending: Ending): string {
  return ending.kind === 'exited' ? `Exit code ${ending.code}, without any output.` : 'No output.';
}

const told = (check: string, message: string): Failure => ({ action: 'APPEND', check, message });

/** What was wrong with a merged result, gate by gate. */
export function mergeFailures({ result, results, missing, conflicts, detail, proof }: MergeJudged, chars: number): readonly Failure[] {
  if (result === 'merged') return [];
  const redOf = (all: MergeJudged['results']) =>
    all.filter(({ green }) => !green).map(({ gate, ending, output }) => told(gate.command, checkMessage({ ending, hint: gate.hint, output, chars })));
  const red = [...redOf(results), ...(proof ? proofFailures(proof, redOf(proof.results)) : [])];
  const clash = conflicts.length === 0 ? [] : [told('', `These files conflict with what was merged meanwhile: ${conflicts.join(', ')}`)];
  const failures = [...missing.map((line) => told('', line)), ...red, ...clash];
  return failures.length > 0 ? failures : [told('', detail)];
}

/** The feedback of this try for the next holder of the task. */
export function taskFeedback(iteration: OpenIteration, hand: CurrentTask): string {
  return [...restoredOf(hand), ...refusedEdits(hand), ...endingOf(iteration, hand), ...proofOf(iteration, hand)].join('\n\n');
}

function restoredOf({ settled }: CurrentTask): readonly string[] {
  return settled === null || settled.restored.length === 0 ? [] : [protectedWords(settled.restored)];
}

function refusedEdits({ settled }: CurrentTask): readonly string[] {
  if (!settled || settled.refused.length === 0) return [];
  return [`These changes of the plan were not accepted, and were taken out:\n${settled.refused.map((line) => `- ${line}`).join('\n')}`];
}

function endingOf({ last }: OpenIteration, { isClaimed, problem, settled }: CurrentTask): readonly string[] {
  if (problem !== null) return [problem];
  if (settled?.problem) return [`What the agent left could not be committed: ${settled.problem}`];
  if (isClaimed) return [];
  if (last !== null && last.verdict !== 'ok') return [`The agent before you failed: ${last.why}`];
  return last === null ? [] : ['The agent before you ended without completing the task.'];
}

/** A red gate in the worktree comes first, because the result was then not merged. */
function proofOf({ judged }: OpenIteration, { merge, isClaimed }: CurrentTask): readonly string[] {
  if (!isClaimed) return [];
  const failures = judged?.green === false ? judged.failures : (merge?.failures ?? []);
  if (failures.length === 0) return [];
  const where = judged?.green === false ? 'in the worktree' : 'merged with the work of the others';
  return [
    `The task was said to be complete, but ${where} this is not so:`,
    ...failures.map(({ check, message }) => (check === '' ? message : `\`${check}\`\n${message}`)),
  ];
}

/** A prompt does not list every file. */
const MOST_PATHS = 20;

/** The feedback of this turn for the next turn of the story; empty if there is none. */
export function turnFeedback(iteration: OpenIteration, turn: StoryTurn): string {
  return [...badEndOf(iteration), ...refusedOf(turn), ...undoneOf(turn), ...redOf(iteration, turn), ...silenceOf(iteration, turn)].join('\n\n');
}

function badEndOf({ last }: OpenIteration): readonly string[] {
  return last === null || last.verdict === 'ok' ? [] : [`The agent before you failed: ${last.why}`];
}

function refusedOf({ refused, problem }: StoryTurn): readonly string[] {
  const lines = [...new Set([...refused, ...(problem === null ? [] : [problem])])];
  return lines.length === 0 ? [] : [`This was not accepted, and was put back where it was a change:\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

function undoneOf({ reverted }: StoryTurn): readonly string[] {
  if (reverted.length === 0) return [];
  const more = reverted.length > MOST_PATHS ? ` and ${reverted.length - MOST_PATHS} more` : '';
  return [`These files are not to be changed in such a turn, and were put back: ${reverted.slice(0, MOST_PATHS).join(', ')}${more}.`];
}

/** A red gate keeps the story from moving. */
function redOf({ judged, proved }: OpenIteration, { moves }: StoryTurn): readonly string[] {
  if (judged?.green && proved !== null && proved.failures.length > 0) return proved.failures.map(({ message }) => message);
  if (judged === null || judged.green) return [];
  const said = moves.some(({ to }) => to === 'approved') ? 'approved' : 'ready';
  return [
    `The story was said to be ${said}, but its verify commands are red:`,
    ...judged.failures.map(({ check, message }) => (check === '' ? message : `\`${check}\`\n${message}`)),
  ];
}

function silenceOf({ last, hasAsked }: OpenIteration, { moves, mode, refused }: StoryTurn): readonly string[] {
  if (last?.verdict !== 'ok' || moves.length > 0 || hasAsked || refused.length > 0) return [];
  return [
    mode === 'review' ? 'The reviewer before you ended without a verdict.' : 'The agent before you ended without saying in tasks.json that the story is ready.',
  ];
}
