import { basename, join } from 'node:path';
import type { Behind } from '../git/git-place.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { bringAlong } from '../worktrees/bring-along.ts';
import { gitAt } from '../worktrees/git-at.ts';
import { keepOutOfCommits } from '../worktrees/keep-out-of-commits.ts';
import { runSetup } from '../worktrees/run-setup.ts';

interface Place {
  readonly cwd: string;
  readonly topLevel: string;
  readonly commonDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where each setup says what it has to say. */
  readonly logs: string;
  readonly markerPrefix: string;
  readonly warn: (text: string) => void;
  /** The setup runs what earlier agents have brought onto the base: behind their wall, with their environment. */
  readonly behind?: Behind | null;
}

/** Brings what git does not into the worktree of a task. One line, if that cannot be done: then nobody works in it. */
export async function furnish(
  made: { readonly path: string; readonly cwd: string },
  { copy, link, setup }: WorkSpec['worktree'],
  { cwd, topLevel, commonDir, env, logs, markerPrefix, warn, behind = null }: Place,
  signal: AbortSignal,
): Promise<string | null> {
  const name = basename(made.path);
  try {
    const brought = await bringAlong({ copy, link }, { cwd, from: topLevel, to: made.path }, warn);
    await keepOutOfCommits(brought, { here: gitAt(topLevel, env), there: gitAt(made.path, env), commonDir }, warn);
    if (!setup) return null;
    const around = { env: behind?.env ?? env, ...(behind && { wall: behind.wall }) };
    await runSetup({ ...setup, ...around, cwd: made.cwd, logFile: join(logs, `${name}.log`), marker: `${markerPrefix}/setup-${name}` }, signal);
    return null;
  } catch (error) {
    if (error instanceof OperatorError || signal.aborted) return error instanceof Error ? error.message : String(error);
    throw error;
  }
}
