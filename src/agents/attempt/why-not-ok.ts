import type { AttemptVerdict, Ending } from '../../journal/events/attempt.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import type { AttemptSummary } from './attempt-summary.ts';

/** One line for people: why an attempt is not ok. Empty when it is. */
export function whyNotOk(verdict: AttemptVerdict, summary: AttemptSummary, ending: Ending): string {
  switch (verdict) {
    case 'ok':
      return '';
    case 'limited':
      return summary.limit?.window ? `usage limit (${summary.limit.window})` : (summary.error?.message ?? 'usage limit');
    case 'empty':
      return 'the agent ended without any output';
    case 'lost':
      return 'the loop died while the agent ran';
    case 'failed':
    case 'fatal':
      return isOurDoing(ending) ? howItEnded(ending, summary) : (summary.error?.message ?? howItEnded(ending, summary));
    default:
      return assertNever(verdict);
  }
}

/** What an agent prints while Ralph stops it is a consequence of that. */
function isOurDoing(ending: Ending): boolean {
  return ending.kind === 'stopped' && ['idle', 'deadline', 'output'].includes(ending.cause);
}

function howItEnded(ending: Ending, { terminal }: AttemptSummary): string {
  switch (ending.kind) {
    case 'exited':
      if (ending.code !== 0) return `the agent exited with code ${ending.code}`;
      return terminal ? `the agent ended with "${terminal.reason}"` : 'the agent exited without saying how its turn ended';
    case 'signalled':
      return `the agent was killed by ${ending.signal}`;
    case 'stopped':
      return `the agent was stopped: ${ending.detail}`;
    case 'never-started':
      return ending.message;
    case 'lost':
      return 'nobody saw how the agent ended';
    default:
      return assertNever(ending);
  }
}
