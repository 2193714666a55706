import type { OperatorWish } from '../../journal/messages.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { RunBrief } from '../../store/runs/run-brief.ts';
import { stateOfRun } from './find-run.ts';
import { isAtWork, leaveMessage, untilTaken } from './leave-message.ts';

export type RunAsk = Exclude<OperatorWish['ask'], 'abort'>;

/** heard: it is in the journal. over: the run ended before that. unheard: the message is still in the inbox. refused: the loop removed the message without recording it. */
export type AskAnswer = 'heard' | 'over' | 'unheard' | 'refused';

const BY = { pause: 'ralph runs pause', drain: 'ralph runs drain', 'go-on': 'ralph runs resume' } as const satisfies Record<RunAsk, string>;

const HAS_HEARD: Readonly<Record<RunAsk, (state: RunState) => boolean>> = {
  pause: ({ paused }) => paused,
  'go-on': ({ paused }) => !paused,
  drain: ({ leaving }) => leaving !== null,
};

/** Leaves a message in the inbox of an active run and waits until its loop has recorded it: operators never write the journal. */
export async function askRun(brief: RunBrief, ask: RunAsk, timeoutMs: number): Promise<AskAnswer> {
  const message = await leaveMessage(brief, { ask, by: BY[ask] });
  const fate = await untilTaken(message, brief, timeoutMs);
  if (fate === 'taken') return await answerOf(brief, ask);
  return fate === 'waits' ? 'unheard' : 'over';
}

/** A loop also removes messages it does not understand, so only the journal tells what it has received. */
async function answerOf(brief: RunBrief, ask: RunAsk): Promise<AskAnswer> {
  const state = await stateOfRun(brief);
  if (state !== null && HAS_HEARD[ask](state)) return 'heard';
  return (await isAtWork(brief)) ? 'refused' : 'over';
}
