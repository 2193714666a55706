import { assertNever } from '../kit/pure/assert-never.ts';
import type { Ending } from './events/attempt.ts';

/** How a command ended, in the few words that fit into brackets. */
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
  idle: 'ended by us: silent for too long',
  deadline: 'ended by us: out of time',
  output: 'ended by us: too much output',
  lingered: 'ended by us: it had finished but stayed',
  cancelled: 'cancelled',
} as const;
