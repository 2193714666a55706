import { currentDirectory } from '../../cli/shared/flags.ts';
import { askDoor } from '../../door/door-client.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { type OwnTask, ownTask, refuseForeignTask, workerName } from '../tasks/own-task.ts';
import type { CallerPlace, WorkTree } from '../tasks/work-tree.ts';
import { completionJson, completionLines } from './task-flags.ts';

/** The most common call of an agent: it tells the loop and loads nothing else. False: there is more to do. */
export async function completeThroughLoop(id: string, { json }: { readonly json?: boolean }): Promise<boolean> {
  const noted = await completeOwnTask(id, { cwd: currentDirectory(), env: environment() });
  if (!noted) return false;
  const completion = { kind: 'noted' } as const;
  io().stdout.write(
    json
      ? `${JSON.stringify(completionJson(id, completion, false))}\n`
      : completionLines(id, completion)
          .map((line) => `${line}\n`)
          .join(''),
  );
  return true;
}

/** Tells the loop that the caller's task is complete, from any folder. False: the caller is not an agent of a loop, or no loop answers. */
async function completeOwnTask(id: string, { cwd, env }: CallerPlace): Promise<boolean> {
  const own = ownTask(env);
  if (own === null) return false;
  refuseForeignTask(own, id);
  return await noteOverDoor(own, { env, top: cwd });
}

interface Caller extends Pick<WorkTree, 'top'> {
  readonly env: Readonly<Record<string, string>>;
}

/** Asks the agent's loop to record that its task is complete. False when no loop answers, or it has no plan. */
async function noteOverDoor({ task, n }: OwnTask, { env, top }: Caller): Promise<boolean> {
  const socket = env['RALPH_SOCKET'];
  if (!socket) return false;
  const body = { n, by: workerName({ env, top }) };
  const answer = await askDoor(socket, { method: 'POST', path: `/v1/tasks/${encodeURIComponent(task)}/complete`, body });
  if (answer.kind !== 'answered' || answer.status === 404) return false;
  if (answer.status === 202) return true;
  throw refusal(errorIn(answer.body) ?? `the loop answered with status ${answer.status}`);
}

function errorIn(body: unknown): string | null {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'string' ? error : null;
}

function refusal(why: string): OperatorError {
  return new OperatorError('task-refused', why, { hint: 'The loop has gone on without you: end here.', exitCode: 2 });
}
