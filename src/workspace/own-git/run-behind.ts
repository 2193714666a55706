import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { OwnGit, SandboxCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { UNFOLLOWED } from '../../process/process-request.ts';
import { runProcess } from '../../process/run-process.ts';
import { GIT_TIMEOUT_MS, type Variables } from '../git/git-command.ts';
import { nobody } from '../git/git-feed.ts';
import { GitTrouble } from '../tasks/locks.ts';

interface Wish {
  readonly stdin: string;
  /** The file for its output: bytes, up to `MOST_BYTES`. */
  readonly file: string;
  readonly timeoutMs: number;
}

const MOST_BYTES = 2 * 1024 ** 3;

/** Runs a git of Ralph's inside a sandbox, where nothing that it is made to run can do harm. */
export async function runBehind(
  wall: SandboxPort,
  call: SandboxCall,
  { stdin, file, timeoutMs }: Wish,
): Promise<{ readonly isGood: boolean; readonly said: string }> {
  const { leave, ...enclosed } = await wall.enclose(call).catch((error) => {
    // The work tree is gone or has changed. That is no reason to stop the run.
    throw error instanceof OperatorError ? new GitTrouble(error.message) : error;
  });
  const stderrFile = `${file}.stderr`;
  const ending = await runProcess(
    {
      ...enclosed,
      ...{ stdin, stdoutFile: file, stderrFile, marker: `git-${randomUUID()}`, guardian: nobody },
      ...{ maxOutputBytes: MOST_BYTES, deadlineMs: timeoutMs },
      ...UNFOLLOWED,
    },
    new AbortController().signal,
  );
  await leave();
  const said = await readFile(stderrFile, 'utf8').catch(() => '');
  await rm(stderrFile, { force: true });
  return { isGood: ending.kind === 'exited' && ending.code === 0, said: said.trim() !== '' ? said : ending.kind === 'stopped' ? ending.detail : ending.kind };
}

interface Reader {
  readonly root: string;
  readonly env: Variables;
  readonly ownGit: OwnGit;
}

/** Git uses the agent's settings, so whatever they make it run stays inside the sandbox. Ralph checks the resulting objects. */
export async function packBehind(wall: SandboxPort, { root, env, ownGit }: Reader, revisions: readonly string[], file: string): Promise<void> {
  const args = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'pack-objects', '--revs', '--stdout', '-q'];
  const call: SandboxCall = {
    who: 'gate',
    judges: true,
    isOffline: true,
    file: 'git',
    args,
    cwd: root,
    env: { PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/' },
    ownGit,
  };
  const { isGood, said } = await runBehind(wall, call, { stdin: revisions.map((line) => `${line}\n`).join(''), file, timeoutMs: GIT_TIMEOUT_MS });
  if (!isGood) throw new GitTrouble(`what an agent committed cannot be read: ${said.trim().split('\n')[0]}`);
}
