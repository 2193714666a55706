import { join } from 'node:path';
import { environment } from '../../../sandbox/environment/environment.ts';
import { listRuns, startIn } from '../../../store/run-home.ts';
import { runsFolders } from '../../../runs/manage/runs-folders.ts';
import { workTreeAt } from '../../../plans/tasks/work-tree.ts';

/** Where `ralph work` logs here: as its newest run of this directory says, else its newest of the repository, else `logs/` at the top. */
export async function logsFolder(cwd: string): Promise<string> {
  let ofAnother: string | null = null;
  for (const runsFolder of await runsFolders(cwd)) {
    for (const run of await listRuns(runsFolder)) {
      const start = await startIn(join(runsFolder, run));
      const logs = start && logsIn(start.line);
      if (!start || logs === null) continue;
      if (start.origin === cwd) return logs;
      ofAnother ??= logs;
    }
  }
  return ofAnother ?? join((await workTreeAt({ cwd, env: environment() })).top, 'logs');
}

/** Null for every run that is not on a plan. */
function logsIn(line: Readonly<Record<string, unknown>>): string | null {
  const { work } = (line['settings'] ?? {}) as { readonly work?: { readonly logs?: unknown } | null };
  return typeof work?.logs === 'string' ? work.logs : null;
}
