import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Git } from '../git/git-command.ts';
import { versionOf } from '../git/git-scratch.ts';
import { untilUnlocked } from '../git/git-until-unlocked.ts';

/** No git of ours holds a lock of a ref for longer, and nobody else works where we do while we do. */
const DEAD_AFTER_MS = 3_000;

interface Places {
  readonly commonDir: string;
  readonly root: string;
}

/** Waits while somebody has a lock. One in our own places that does not change for a while was left by a git that was killed: it is removed. */
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
  /** Told what git complains of. */
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

/** The refs that only we write, and the worktrees that we have made. */
async function isOurs(lock: string, { commonDir, root }: Places): Promise<boolean> {
  const [first = '', second = '', third = ''] = relative(commonDir, lock).split(sep);
  if (first === 'refs') return second === 'ralph' || (second === 'heads' && third === 'ralph');
  if (first !== 'worktrees') return false;
  const admin = join(commonDir, first, second);
  const gitFile = await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '');
  return resolve(admin, gitFile.trim()).startsWith(root + sep);
}
