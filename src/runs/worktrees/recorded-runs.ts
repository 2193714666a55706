import { join } from 'node:path';
import { listRuns, startIn } from '../../store/run-home.ts';
import { isInside } from '../../workspace/worktrees/is-inside.ts';
import { ownWorktreeOf } from '../../workspace/worktrees/open-again.ts';

/** What the runs of a repository say of worktrees, newest first. */
export interface RecordedRun {
  readonly run: string;
  /** Where it works. */
  readonly cwd: string;
  /** The worktree that was made for it. */
  readonly own: string | null;
  /** The commit it began on. */
  readonly base: string | null;
}

export async function recordedRuns(runsFolder: string): Promise<readonly RecordedRun[]> {
  const recorded: RecordedRun[] = [];
  for (const run of await listRuns(runsFolder)) {
    const start = await startIn(join(runsFolder, run)).catch(() => null);
    if (start === null) continue;
    const { found } = start.line as { readonly found?: { readonly head?: unknown } | null };
    recorded.push({ run, cwd: start.cwd, own: ownWorktreeOf(start)?.path ?? null, base: typeof found?.head === 'string' ? found.head : null });
  }
  return recorded;
}

/** The newest run that works in that worktree, made for it or not. */
export function runIn(path: string, recorded: readonly RecordedRun[]): RecordedRun | null {
  return recorded.find(({ cwd, own }) => own === path || cwd === path || isInside(path, cwd)) ?? null;
}
