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
    ...(hint ? [`Hint: ${hint}`] : []),
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
  readonly output: string;
  /** How many code points of the end of the output the agent gets; 0 or less means all of it. */
  readonly chars: number;
}

/** The feedback about a red check (seed 004): the end of its output, after a line about its ending if that is unusual. */
export function checkMessage({ ending, output, chars }: RedCheck): string {
  const told = lastCodePoints(output.trimEnd(), chars, '');
  return [...unusual(ending), ...(told === '' ? [] : [told])].join('\n') || saidNothing(ending);
}

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
