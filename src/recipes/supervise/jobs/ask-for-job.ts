import { resolve } from 'node:path';
import { askDoor } from '../../../door/door-client.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import * as z from '../../../kit/pure/shape.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import type { JobOptions } from '../start/root-request.ts';
import { canAgentLoopStart, type JobPlace, withAgentDefaults } from './job-defaults.ts';

/** A job that another process runs. */
export interface RemoteJob {
  readonly run: string;
  readonly runFolder: string;
  /** The socket of the loop that started it. */
  readonly socket: string;
}

/** The socket answers within 40 s, even if the job has not started by then. */
const TIMEOUT_MS = 60_000;

const Started = z.object({ run: z.string(), run_folder: z.string() });
const Refused = z.object({ error: z.string() });

/** Asks the loop of the calling agent to start the job, outside the processes of the agent. Null when there is no such loop: then the caller must run it. */
export async function askForJob(request: JobOptions, place: JobPlace): Promise<RemoteJob | null> {
  const socket = place.env['RALPH_SOCKET'];
  if (!socket || !canAgentLoopStart(request, place)) return null;
  const body = await requestOf(withAgentDefaults(request, place), place.cwd);
  const answer = await askDoor(socket, { method: 'POST', path: '/v1/jobs', body, timeoutMs: TIMEOUT_MS });
  if (answer.kind === 'nobody') return null;
  // Running it here instead would put it into a sandbox, and end it with the agent.
  if (answer.kind === 'forbidden') throw socketForbidden();
  if (answer.kind === 'broken-off') throw refused(`the loop ended during the request: ${answer.why}`);
  // A loop without a task folder starts no jobs.
  if (answer.status === 404) return null;
  // 202: the job has not started yet.
  const started = [201, 202].includes(answer.status) ? Started.safeParse(answer.body) : null;
  if (!started?.success) throw refused(Refused.safeParse(answer.body).data?.error ?? `the loop answered with status ${answer.status}`);
  return { run: started.data.run, runFolder: started.data.run_folder, socket };
}

async function requestOf(request: JobOptions, cwd: string): Promise<object> {
  refuseWhatCannotBePassedOn(request);
  const { parent, task, agent, command, model, checks, workIn, idleMs, runMs } = request;
  return {
    parent,
    task,
    agent: command.length > 0 ? command.map(shellQuote).join(' ') : agent,
    model,
    checks,
    cwd: workIn === null ? null : resolve(cwd, workIn),
    idle_ms: idleMs,
    run_ms: runMs,
    prompt: await promptText(request, cwd),
  };
}

/** The text is read now: the file may be gone when the child starts, or be another one in the child's directory. */
async function promptText({ prompt }: JobOptions, cwd: string): Promise<string> {
  if (prompt === null) return '';
  if (prompt.from === 'text') return prompt.text;
  const read = await readText(resolve(cwd, prompt.path), 'read pipes');
  if (read.kind === 'text') return read.text;
  throw new OperatorError('usage', `prompt file cannot be read: ${prompt.path}: ${read.reason}`, { hint: 'Check the path.', exitCode: 2 });
}

/** Refusing is better than a child without the limit that was asked for. */
function refuseWhatCannotBePassedOn(request: JobOptions): void {
  const said = [
    ['--wait-timeout', request.waitTimeoutMs !== null],
    ['--kill-children', request.killChildren],
    ['--agent-kind', request.agentKind !== null],
    ['--autonomy', request.autonomy !== null],
    ['--env', Object.keys(request.env).length > 0],
    ['--require-proof without --check', request.requireProof && request.checks.length === 0],
  ] as const;
  const flags = said.filter(([, isSaid]) => isSaid).map(([flag]) => flag);
  if (flags.length === 0) return;
  throw new OperatorError('usage', `a job that the loop starts has the settings of the loop: ${flags.join(', ')} cannot be used`, {
    hint: 'Leave it out.',
    exitCode: 2,
  });
}

function socketForbidden(): OperatorError {
  return new OperatorError('job-refused', 'the job was not started: a sandbox keeps its agent from asking the loop', {
    hint: 'Let the agent open unix sockets; for codex that is the flag -c sandbox_workspace_write.network_access=true.',
    exitCode: 4,
  });
}

function refused(why: string): OperatorError {
  return new OperatorError('job-refused', `the job was not started: ${why}`, { hint: 'ralph runs list shows the active runs.', exitCode: 4 });
}
