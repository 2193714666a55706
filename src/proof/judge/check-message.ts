import { lastCodePoints } from '../../kit/pure/last-code-points.ts';
import type { Ending } from '../../journal/events/attempt.ts';

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
