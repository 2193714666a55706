import { assertNever } from '../../kit/pure/assert-never.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { Ending } from '../../journal/events/attempt.ts';

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
