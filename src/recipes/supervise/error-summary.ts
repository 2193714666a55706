import { assertNever } from '../../kit/pure/assert-never.ts';
import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';

const byCode: Readonly<Record<number, string>> = {
  1: 'agent reported failure',
  2: 'agent usage error',
  137: 'agent killed (OOM or signal)',
  143: 'agent terminated (SIGTERM)',
};

const codeOfSignal: Readonly<Record<string, number>> = { SIGKILL: 137, SIGTERM: 143 };

/** Why a life failed, in the few words that a bus and a list of runs have for it (seed 002). */
export function errorSummary({ ending, why }: Pick<AttemptEnded, 'ending' | 'why'>): string {
  switch (ending.kind) {
    case 'exited':
      // An exit code says nothing where the agent itself says that it came to nothing.
      return ending.code === 0 ? why : exitSummary(ending.code);
    case 'signalled':
      return signalSummary(ending.signal);
    case 'stopped':
      return stoppedSummary(ending);
    case 'never-started':
      return ending.message;
    case 'lost':
      return 'the supervisor died while the agent ran';
    default:
      return assertNever(ending);
  }
}

function exitSummary(code: number): string {
  return byCode[code] ?? `agent exited with code ${code}`;
}

function signalSummary(signal: string): string {
  const code = codeOfSignal[signal];
  return code === undefined ? `agent ended by ${signal}` : exitSummary(code);
}

function stoppedSummary({ cause, detail }: Extract<Ending, { kind: 'stopped' }>): string {
  return cause === 'idle' || cause === 'deadline' ? 'timed out' : detail;
}
