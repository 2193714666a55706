import { basename } from 'node:path';
import { isDone } from '../../journal/words/outcome.ts';
import { openLastSeen } from '../../kit/async/last-seen.ts';
import { fitsUntil } from '../../limits/quota.ts';
import { inboxOf } from '../../people/questions/read-inbox.ts';
import { NEED_KINDS, needKey, needView } from '../../report/needs/needs.ts';
import { titleOf } from '../../report/run-report/run-report.ts';
import { openStats } from '../../report/run-report/run-stats.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { runWithStatus } from '../../runs/manage/find-run.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { localDay, readQuota } from '../../store/quota-files.ts';
import { watchView } from '../../watch/view/watched-run.ts';
import { keptFileRefs } from '../../workspace/run-ends.ts';
import { daysOf, gateStatsOf, todayOf } from '../view/days.ts';
import type { HistoryView, NeedItem, Overview, QuotaView, RunLine } from '../view/page.ts';
import type { FollowedRun } from './followed-run.ts';
import { openFollowedRuns, type RunEntry, type RunsPlace } from './followed-runs.ts';

/** All runs of one or more projects, followed while somebody watches. It only reads. */
export interface Project extends Disposable {
  overview(nowMs: number): Promise<Overview>;
  history(nowMs: number): Promise<HistoryView>;
  /** Null: there is no such run. Keeps the run at hand for a while. */
  run(id: string, nowMs: number): Promise<FollowedRun | null>;
  /** The directory from which commands about the run are given. */
  placeOf(id: string): string | null;
}

export interface ProjectOptions {
  readonly name: string;
  /** Every folder with runs, and the directory it was found from. Asked again and again, because a project may begin. */
  readonly folders: () => Promise<readonly RunsPlace[]>;
  readonly quotaFolder: string | null;
  readonly readOnly: boolean;
  /** The fleets of a store; absent: none is shown. */
  readonly fleets?: () => Promise<readonly FleetView[]>;
}

const dateOf = (ms: number) => localDay(ms).date;

export function openProject({ name, folders, quotaFolder, readOnly, fleets }: ProjectOptions): Project {
  const runs = openFollowedRuns(folders, dateOf);
  const kept = openKept(folders);
  const seenFleets = fleets && openLastSeen({ look: fleets, first: [], everyMs: SEEN_MS });
  return {
    async overview(nowMs) {
      const { known, leftOut } = await runs.look(nowMs);
      return {
        ...{ project: name, read_only: readOnly },
        today: todayOf(daysOf(sumsOf(known), dateOf), dateOf(nowMs)),
        quota: await quotaViews(quotaFolder, nowMs),
        needs: await needsIn(known, () => kept(nowMs)),
        runs: known.map((entry) => runLine(entry, nowMs)),
        runs_left_out: leftOut,
        ...(seenFleets && { fleets: seenFleets(nowMs) }),
      };
    },
    async history(nowMs) {
      const { known } = await runs.look(nowMs);
      const stats = openStats();
      for (const { followed } of known) stats.add(followed.known().figures);
      return { days: daysOf(sumsOf(known), dateOf), gates: gateStatsOf(sumsOf(known)), agents: stats.stats() };
    },
    async run(id, nowMs) {
      await runs.look(nowMs);
      return runs.want(id, nowMs);
    },
    placeOf: runs.placeOf,
    [Symbol.dispose]: () => runs[Symbol.dispose](),
  };
}

const sumsOf = (entries: readonly RunEntry[]) => entries.map(({ followed }) => followed.known().sums);

/** A page looks more often than a store has to be asked. */
const SEEN_MS = 2_000;

type Kept = Awaited<ReturnType<typeof keptFileRefs>>;

const KEPT_MS = 10_000;

/** A git for each project: asked for seldom, because this changes seldom. */
function openKept(folders: ProjectOptions['folders']): (nowMs: number) => Promise<Kept> {
  let known: { readonly atMs: number; readonly kept: Promise<Kept> } | null = null;
  const look = async () => new Map((await Promise.all((await folders()).map(({ cwd }) => keptFileRefs(cwd, environment())))).flatMap((found) => [...found]));
  return (nowMs) => {
    if (known === null || nowMs - known.atMs > KEPT_MS) known = { atMs: nowMs, kept: look() };
    return known.kept;
  };
}

const CAN: Readonly<Record<NeedItem['kind'], NeedItem['can']>> = {
  question: 'answer',
  held: 'accept',
  login: 'resume',
  budget: 'budget',
  dead: 'retry',
  conflict: 'retry',
  failed: 'retry',
  stuck: 'resume',
  kept: null,
};

async function needsIn(entries: readonly RunEntry[], kept: () => Promise<Kept>): Promise<readonly NeedItem[]> {
  const states = new Map(entries.map(({ summary, followed }) => [summary.run, followed.known().state]));
  const runs = entries.map(({ summary }) => runWithStatus(summary));
  const { items } = await inboxOf(runs, { all: false, stateOf: async ({ run }) => states.get(run) ?? null, kept });
  const views = items.map(({ recipe: _, state: __, runsFolder: ___, ...need }): NeedItem => {
    const can = need.kind === 'dead' && need.task === null ? 'resume' : CAN[need.kind];
    return { ...needView(need), can, key: needKey(need) };
  });
  return NEED_KINDS.flatMap((kind) => views.filter((need) => need.kind === kind));
}

function runLine({ summary, cwd, followed }: RunEntry, nowMs: number): RunLine {
  const { state, standing, tasks, row } = followed.known();
  const view = watchView({ state, standing, tasks, needs: [], begunMs: new Map(), idleMs: 0, activity: new Map() }, nowMs);
  return {
    ...{
      run_id: summary.run,
      project: projectName(cwd),
      recipe: view?.recipe ?? summary.recipe,
      title: state.run === null ? '' : titleOf(state.run.settings),
      standing,
      status: view?.status ?? '',
    },
    ...{ started_at: summary.startedAtMs, last_at: state.time.lastMs, progress: view?.progress ?? null, cost_usd: view?.cost_usd ?? null },
    ...{ done: state.stopped !== null && isDone(state.stopped), row },
  };
}

async function quotaViews(folder: string | null, nowMs: number): Promise<readonly QuotaView[]> {
  const quota = await readQuota(folder).catch(() => null);
  return Object.entries(quota?.accounts ?? {}).flatMap(([account, windows]) =>
    Object.entries(windows)
      .filter(([, { resets_at }]) => resets_at === null || resets_at > nowMs)
      .map(([window, quotaWindow]) => {
        const { status, used, resets_at, burn = [] } = quotaWindow;
        return { account, window, used, resets_at, rejected: status === 'rejected', burn, fits_until: fitsUntil(quotaWindow, nowMs) };
      }),
  );
}

/** The last part of the directory. */
export const projectName = (cwd: string) => basename(cwd) || cwd;
