import type { Ending } from '../../journal/events/attempt.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { lastCodePoints, truncateCodePoints } from '../../kit/pure/text.ts';

export interface RedGuardrail {
  readonly command: string;
  readonly ending: Ending;
  /** Never cut, never a template. */
  readonly hint: string | null;
  readonly logFile: string;
  readonly output: string;
  /** How many code points of the output are told; 0 or less is all of them that a prompt may hold. */
  readonly truncateChars: number;
}

/** No prompt is told more of one output than this, whatever the settings say: a flood is not for an agent to read. */
const MOST_TOLD = 1_000_000;

/** How many code points of an output the next prompt may be told. */
export function charsTold(truncateChars: number): number {
  return truncateChars <= 0 ? MOST_TOLD : Math.min(truncateChars, MOST_TOLD);
}

/** What the next prompt is told about a red guardrail. The heading says "(truncated)" whether or not anything was cut, as agents have learnt it. */
export function guardrailMessage({ command, ending, hint, logFile, output, truncateChars }: RedGuardrail): string {
  return [
    `Guardrail "${command}" failed${howItFailed(ending)}.`,
    ...(hint ? [`Hint: ${hint}`] : []),
    `Output file: ${logFile}`,
    'Output (truncated):',
    truncateCodePoints(output, charsTold(truncateChars), '... [truncated]'),
  ].join('\n');
}

/** An exit code where there is one; else in words what happened to it. */
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
  readonly output: string;
  /** How much of the output is told, from its end, in code points; 0 or less is all of it. */
  readonly chars: number;
}

/** What the next prompt is told about a red check (seed 004): the end of its output, after a line about how it ended where that is not plain. */
export function checkMessage({ ending, output, chars }: RedCheck): string {
  const told = lastCodePoints(output.trimEnd(), chars, '');
  return [...unusual(ending), ...(told === '' ? [] : [told])].join('\n') || saidNothing(ending);
}

/** A program that prints and exits with a code speaks for itself. */
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
