import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxMessage } from '../../journal/messages.ts';
import { pathExists } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type RunSummary, readRunSummary } from '../../store/runs/run-summary.ts';

const EVERY_MS = 50;

/** Puts a message into the inbox of a run and returns its path. Later messages have later names: a loop reads its inbox by name. */
export async function leaveMessage({ run, folder }: Pick<RunSummary, 'run' | 'folder'>, content: InboxMessage): Promise<string> {
  const inbox = join(folder, 'inbox');
  const message = join(inbox, `${Date.now()}-${randomUUID()}.json`);
  try {
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    await writeAtomic(message, `${JSON.stringify(content)}\n`);
    return message;
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split(',');
    throw new OperatorError('inbox-not-writable', `cannot leave a message for run ${run}: ${reason}`, {
      hint: `Check who may write to ${inbox}.`,
      exitCode: 4,
      cause,
    });
  }
}

/** taken: the loop has removed it. over: the run ended before that, and the message was withdrawn. waits: the message is still unread. */
export async function untilTaken(message: string, brief: RunSummary, timeoutMs: number): Promise<'taken' | 'over' | 'waits'> {
  const untilMs = performance.now() + timeoutMs;
  while (await pathExists(message)) {
    if (!(await isActive(brief))) {
      await rm(message, { force: true });
      return 'over';
    }
    if (performance.now() > untilMs) return 'waits';
    await sleep(EVERY_MS);
  }
  return 'taken';
}

/** Whether its process lives, as far as this machine can tell. */
export async function isActive({ runsFolder, run }: Pick<RunSummary, 'runsFolder' | 'run'>): Promise<boolean> {
  const sight = await readRunSummary(runsFolder, run);
  if (sight === null) return false;
  return sight.liveness !== 'dead' && !(sight.kind === 'run' && sight.stopped !== null);
}
