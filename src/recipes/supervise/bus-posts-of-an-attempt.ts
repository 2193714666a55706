import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';
import { WAIT_EXIT_CODE } from '../../journal/evolve/task.ts';
import type { NewBusMessage } from '../../journal/messages.ts';
import type { RunState } from '../../journal/state/state.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { redact } from '../../kit/pure/redact.ts';
import { lastCodePoints } from '../../kit/pure/text.ts';
import { isRestarted, type SuperviseState } from './supervised-task.ts';

/** A message for the bus of the task. */
export interface BusPost {
  readonly message: NewBusMessage;
  /** The attempt whose last stderr lines are appended; null: none. */
  readonly stderrOf: Pick<AttemptEnded, 'iteration' | 'attempt' | 'role'> | null;
}

const STDERR_LINES = 50;
const STDERR_CHARS = 20_000;

/** A message of a supervised run about itself. */
export function messageOf({ run }: SuperviseState, type: string, body: string): NewBusMessage {
  const { project, task } = run.settings.supervise;
  return { type, project_id: project, task_id: task, run_id: run.id, body };
}

/** The first start is restart #0; starts that were cut short by Ralph do not count. */
export function restartNumber({ opened, abandoned }: RunState): number {
  return opened - abandoned - 1;
}

/** How an agent process ended, and what that means for a root agent. */
export function attemptEndedPosts(body: AttemptEnded, state: SuperviseState): readonly BusPost[] {
  return [endPost(body, state), ...(isRestarted(state) ? lifeWords(body, state) : [])];
}

function endPost(body: AttemptEnded, state: SuperviseState): BusPost {
  const { iteration, attempt, role } = body;
  if (!isCrash(body)) return { message: messageOf(state, 'RUN_STOP', `run stopped ${howItStopped(body)}`), stderrOf: null };
  const text = `run stopped ${howItStopped(body)}: ${errorSummary(body)}`;
  return { message: messageOf(state, 'RUN_CRASH', text), stderrOf: { iteration, attempt, role } };
}

function lifeWords(body: AttemptEnded, state: SuperviseState): readonly BusPost[] {
  const words = (text: string): BusPost => ({ message: messageOf(state, 'WARNING', text), stderrOf: null });
  const restart = `restart #${restartNumber(state)}`;
  if (body.verdict === 'limited') return [words(`root agent met a usage limit on ${restart}; it is run again when that is over`)];
  return isCrash(body) ? [words(`root agent failed on ${restart}: ${errorSummary(body)}`)] : [];
}

/** An agent that asks to wait, that Ralph ended, or that met a usage limit has not crashed. */
function isCrash({ verdict, ending }: AttemptEnded): boolean {
  if (ending.kind === 'exited' && ending.code === WAIT_EXIT_CODE) return false;
  if (ending.kind === 'stopped' && ending.cause === 'cancelled') return false;
  return verdict === 'failed' || verdict === 'fatal' || verdict === 'lost';
}

function howItStopped({ ending }: AttemptEnded): string {
  switch (ending.kind) {
    case 'exited':
      return `with code ${ending.code}`;
    case 'signalled':
      return `by ${ending.signal}`;
    case 'stopped':
      return ending.code === null ? `by the loop` : `by the loop, with code ${ending.code}`;
    case 'never-started':
      return 'before it began';
    case 'lost':
      return 'unseen';
  }
}

/** The same message with the last lines of the agent's stderr: bounded, and without anything that looks like a secret. */
export function withStderr(message: NewBusMessage, stderr: string): NewBusMessage {
  const lines = stderr.trimEnd().split(/\r?\n/).slice(-STDERR_LINES).join('\n');
  if (lines.trim() === '') return message;
  return { ...message, body: `${message.body}\n\n## stderr (last ${STDERR_LINES} lines)\n\n${lastCodePoints(redact(lines), STDERR_CHARS, '[...] ')}` };
}

const byCode: Readonly<Record<number, string>> = {
  1: 'agent reported failure',
  2: 'agent usage error',
  137: 'agent killed (OOM or signal)',
  143: 'agent terminated (SIGTERM)',
};

const codeOfSignal: Readonly<Record<string, number>> = { SIGKILL: 137, SIGTERM: 143 };

/** Why an agent failed, in the short form of a bus message or a list of runs (seed 002). */
function errorSummary({ ending, why }: Pick<AttemptEnded, 'ending' | 'why'>): string {
  switch (ending.kind) {
    case 'exited':
      // Exit code 0 says nothing when the agent itself reports a failure.
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
