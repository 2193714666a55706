import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDone } from '../journal/words/outcome.ts';
import { openScope } from '../kit/async/scope.ts';
import type { Landing, RunSettings } from '../settings/schema/run-settings.ts';
import { readJournalFile } from '../store/journal-file.ts';
import { viewOfEvents } from './manage/show-run.ts';
import { type FinishedRun, type Projection, type RunOptions, warnFunctionOf } from './run-options.ts';

const load = () => import('../workspace/worktrees/landing.ts');

/** With `landing: green` the operator's branch follows each commit. What cannot land now is tried again with the next one, and at the end. */
export function landWithEachCommit(landing: Landing, run: string, env: Readonly<Record<string, string>>): Projection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    onEvent({ body }) {
      if (body.type !== 'commit.made') return;
      // Whatever stood in the way, even a git that could not be started, is met again at the end and told there.
      last = last.then(async () => await (await load()).land(landing, run, env)).catch(() => undefined);
    },
    close: async () => void (await last),
  };
}

/** What is left to do after the end of a run that works in a worktree. */
export function landingOf(settings: RunSettings): Pick<FinishedRun, 'settings'> {
  return settings.landing === undefined ? {} : { settings: { ...settings, landing: settings.landing } };
}

/** A run that is done, and whose work could not land at its end; null for any other. */
export async function waitingToLand(runFolder: string, { worktree }: Landing): Promise<FinishedRun | null> {
  if (!existsSync(worktree.path)) return null;
  const events = await readJournalFile(join(runFolder, 'journal.jsonl'));
  const [first, last, view] = [events[0]?.body, events.at(-1)?.body, viewOfEvents(events)];
  if (first?.type !== 'run.started' || last?.type !== 'run.stopped' || !isDone(last.outcome) || view === null) return null;
  return { outcome: last.outcome, view, runFolder, ...landingOf(first.settings) };
}

/** After the run has released everything: lands what it has committed, and removes its worktree. A run that did not end well keeps both. */
export async function landAtEnd(finished: FinishedRun, options: RunOptions): Promise<FinishedRun> {
  const { settings, outcome, view, runFolder } = finished;
  if (settings === undefined || (settings.landing.when === 'end' && !isDone(outcome))) return finished;
  const { landing } = settings;
  const { into, worktree } = landing;
  const { land, removeLanded } = await load();
  await using scope = openScope();
  const [{ openWorkspace }, { withEnclosedPrograms }] = await Promise.all([import('../workspace/workspace.ts'), import('./sandbox/enclose-git-programs.ts')]);
  const workspace = await openWorkspace(worktree.repository, scope);
  const { env } = await withEnclosedPrograms({ workspace, settings, run: view.run_id, runFolder, scope, warn: () => undefined });
  const why = await land(landing, view.run_id, env);
  if (why !== null) {
    warnFunctionOf(options)(
      `${why}; the commits of this run are on the branch ${worktree.branch}: mend that and say ralph runs resume ${view.run_id}, or git merge ${worktree.branch}`,
    );
    return finished;
  }
  if (!isDone(outcome)) return finished;
  const left = await removeLanded(landing, env);
  if (left !== null) warnFunctionOf(options)(`${worktree.path} stays: ${left}`);
  options.say?.(`Landed on ${into}.`);
  return finished;
}
