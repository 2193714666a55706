import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { GitProblem } from '../../engine/ports/task-branches.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import { firstComplaint, type Git, untilUnlocked } from '../git/git-command.ts';
import { versionOf } from '../git/git-scratch.ts';

/** No git of ours holds the lock of a ref longer, and nobody else works in Ralph's places meanwhile. */
const DEAD_AFTER_MS = 3_000;

interface Places {
  readonly commonDir: string;
  readonly root: string;
}

/** Waits while another git has a lock. A lock in Ralph's own places that does not change for a while is from a killed git and is removed. */
export function insistent(git: Git, places: () => Promise<Places>): Git {
  return async (args, own) => {
    const watch = openLockWatch(places);
    let complaint = '';
    return await untilUnlocked(
      async () => {
        const answer = await git(args, own);
        complaint = answer.stderr;
        return answer;
      },
      () => watch.look(complaint),
    );
  };
}

interface LockWatch {
  /** Called with git's complaint. */
  look(complaint: string): Promise<void>;
}

export function openLockWatch(places: () => Promise<Places>): LockWatch {
  let seen = { lock: '', version: '', sinceMs: 0 };
  return {
    async look(complaint) {
      const lock = /Unable to create '(.+\.lock)': File exists/.exec(complaint)?.[1];
      if (lock === undefined) return;
      const version = await versionOf(lock);
      if (lock !== seen.lock || version !== seen.version) seen = { lock, version, sinceMs: performance.now() };
      if (performance.now() - seen.sinceMs < DEAD_AFTER_MS || !(await isOurs(lock, await places()))) return;
      await rm(lock, { force: true }).catch(() => undefined);
    },
  };
}

/** The refs that only Ralph writes, and the worktrees that it has made. */
async function isOurs(lock: string, { commonDir, root }: Places): Promise<boolean> {
  const [first = '', second = '', third = ''] = relative(commonDir, lock).split(sep);
  if (first === 'refs') return second === 'ralph' || (second === 'heads' && third === 'ralph');
  if (first !== 'worktrees') return false;
  const admin = join(commonDir, first, second);
  const gitFile = await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '');
  return resolve(admin, gitFile.trim()).startsWith(root + sep);
}

/** A failure with a message of one line. It ends the current operation and is reported as data. */
export class GitTrouble extends Error {
  override readonly name = 'GitTrouble';
}

/** A refusal by git or the disk is returned as data, and so is any failure after an abort. Everything else is a bug and thrown. */
export async function orTrouble<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | GitProblem> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) return { kind: 'trouble', why: STOPPED };
    if (!(error instanceof GitTrouble) && !isOfTheSystem(error)) throw error;
    return { kind: 'trouble', why: oneLine(error.message) };
  }
}

const STOPPED = 'the run was stopped';

const isOfTheSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new GitTrouble(STOPPED);
}

/** Git's output. Throws if git failed. */
export function must(answer: Captured, doing: string): string {
  if (answer.code === 0) return answer.stdout.trim();
  throw new GitTrouble(`${doing}: ${firstComplaint(answer)}`);
}
