import { assertNever } from '../kit/pure/assert-never.ts';
import type { Ending } from './events/attempt.ts';

/** How a command ended, in a few words that fit into brackets. */
export function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`;
    case 'signalled':
      return `killed by ${ending.signal}`;
    case 'stopped':
      return stoppedBecause[ending.cause];
    case 'never-started':
      return `could not be started: ${ending.message}`;
    case 'lost':
      return 'lost';
    default:
      return assertNever(ending);
  }
}

const stoppedBecause = {
  idle: 'stopped by Ralph: no output',
  deadline: 'stopped by Ralph: timed out',
  output: 'stopped by Ralph: too much output',
  lingered: 'stopped by Ralph: did not exit after finishing',
  cancelled: 'cancelled',
  memory: 'stopped by Ralph: too much memory',
  processes: 'stopped by Ralph: too many processes',
  disk: 'stopped by Ralph: the disk was nearly full',
} as const;
