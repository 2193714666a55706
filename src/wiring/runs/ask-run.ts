import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunBrief, readRunBrief } from '../../adapters/runs/run-brief.ts';
import type { RunState } from '../../core/state.ts';
import { isThere } from '../../kit/files/is-there.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import type { InboxMessage } from '../../model/inbox-message.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { stateOfRun } from './state-of-run.ts';

export type RunAsk = Exclude<InboxMessage['ask'], 'abort'>;

/** heard: it stands in the journal. over: the run ended before that. unheard: the message lies there, and nobody has looked yet. refused: it was taken, and nothing came of it. */
export type AskAnswer = 'heard' | 'over' | 'unheard' | 'refused';

const EVERY_MS = 50;

const BY = { pause: 'ralph runs pause', drain: 'ralph runs drain', 'go-on': 'ralph runs resume' } as const satisfies Record<RunAsk, string>;

const HAS_HEARD: Readonly<Record<RunAsk, (state: RunState) => boolean>> = {
  pause: ({ paused }) => paused,
  'go-on': ({ paused }) => !paused,
  drain: ({ leaving }) => leaving !== null,
};

/** Leaves a message in the inbox of a run that is at work, and waits until its loop has written it down: operators never write the journal. */
export async function askRun(brief: RunBrief, ask: RunAsk, timeoutMs: number): Promise<AskAnswer> {
  const message = await leaveMessage(brief, { ask, by: BY[ask] });
  const untilMs = performance.now() + timeoutMs;
  while (await isThere(message)) {
    if (!(await isAtWork(brief))) {
      await rm(message, { force: true });
      return 'over';
    }
    if (performance.now() > untilMs) return 'unheard';
    await sleep(EVERY_MS);
  }
  return await answerOf(brief, ask);
}

/** Later ones have later names: a loop reads its inbox by name. */
async function leaveMessage({ run, folder }: RunBrief, content: InboxMessage): Promise<string> {
  const inbox = join(folder, 'inbox');
  const message = join(inbox, `${Date.now()}-${randomUUID()}.json`);
  try {
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    await writeAtomic(message, `${JSON.stringify(content)}\n`);
    return message;
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split(',');
    throw new OperatorError('inbox-not-writable', `cannot leave a message for run ${run}: ${reason}`, {
      hint: `See who may write to ${inbox}.`,
      exitCode: 4,
      cause,
    });
  }
}

/** A loop takes away what it does not understand, too: only the journal tells what it has heard. */
async function answerOf(brief: RunBrief, ask: RunAsk): Promise<AskAnswer> {
  const state = await stateOfRun(brief);
  if (state !== null && HAS_HEARD[ask](state)) return 'heard';
  return (await isAtWork(brief)) ? 'refused' : 'over';
}

async function isAtWork({ runsFolder, run }: RunBrief): Promise<boolean> {
  const sight = await readRunBrief(runsFolder, run);
  if (sight === null) return false;
  return sight.liveness !== 'dead' && !(sight.kind === 'run' && sight.stopped !== null);
}
