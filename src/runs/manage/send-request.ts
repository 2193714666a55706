import type { InstructionMessage, OperatorMessage } from '../../journal/messages.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { stateOfRun } from './find-run.ts';
import { isActive, leaveMessage, untilTaken } from './leave-message.ts';

export type OperatorRequest = Exclude<OperatorMessage['ask'], 'abort'>;

/** heard: it is in the journal. over: the run ended before that. unheard: the message is still in the inbox. refused: the loop removed the message without recording it. */
export type RequestResult = 'heard' | 'over' | 'unheard' | 'refused';

const BY = { pause: 'ralph runs pause', drain: 'ralph runs drain', 'go-on': 'ralph runs resume' } as const satisfies Record<OperatorRequest, string>;

const HAS_HEARD: Readonly<Record<OperatorRequest, (state: RunState) => boolean>> = {
  pause: ({ paused }) => paused,
  'go-on': ({ paused }) => !paused,
  drain: ({ leaving }) => leaving !== null,
};

/** Leaves a message in the inbox of an active run and waits until its loop has recorded it: operators never write the journal. */
export async function sendRequest(brief: RunSummary, ask: OperatorRequest, timeoutMs: number, by: string = BY[ask]): Promise<RequestResult> {
  const message = await leaveMessage(brief, { ask, by });
  const fate = await untilTaken(message, brief, timeoutMs);
  if (fate === 'taken') return await answerOf(brief, ask);
  return fate === 'waits' ? 'unheard' : 'over';
}

/**
 * Leaves an instruction in the inbox of a run, and waits until a running loop has recorded it. kept: the run is not running, and reads it when it is resumed.
 */
export async function sendInstruction(brief: RunSummary, message: InstructionMessage, timeoutMs: number): Promise<Exclude<RequestResult, 'over'> | 'kept'> {
  const path = await leaveMessage(brief, message);
  if (!(await isActive(brief))) return 'kept';
  const fate = await untilTaken(path, brief, timeoutMs);
  if (fate !== 'taken') return fate === 'waits' ? 'unheard' : await sendInstruction(brief, message, timeoutMs);
  const wanted = JSON.stringify([message.instruct, message.by]);
  const known = (await stateOfRun(brief))?.instructions ?? [];
  return known.some(({ instruction, by }) => JSON.stringify([instruction, by]) === wanted) ? 'heard' : 'refused';
}

/** Asks the loop to end its agents now, by name: a signal would not tell who sent it. False: it has not read that in time. */
export async function sendAbort(brief: RunSummary, by: string, timeoutMs: number): Promise<boolean> {
  return (await untilTaken(await leaveMessage(brief, { ask: 'abort', by }), brief, timeoutMs)) !== 'waits';
}

/** A loop also removes messages it does not understand, so only the journal tells what it has received. */
async function answerOf(brief: RunSummary, ask: OperatorRequest): Promise<RequestResult> {
  const state = await stateOfRun(brief);
  if (state !== null && HAS_HEARD[ask](state)) return 'heard';
  return (await isActive(brief)) ? 'refused' : 'over';
}
