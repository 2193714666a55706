import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { isDone } from '../../journal/words/outcome.ts';
import { agentName, agentsIn } from '../../limits/agents.ts';
import { openHistory, type RunHistory } from '../../report/history/run-history.ts';
import { runReport } from '../../report/run-report/run-report.ts';
import { budgetOf, factsOf } from '../../settings/schema/recipe-facts.ts';
import { type BegunEffects, openBegunEffects } from '../../watch/view/begun-effects.ts';
import { type WatchedRun, watchView } from '../../watch/view/watched-run.ts';
import { MOST_BARS, openBars, withoutTheDead } from './bars.ts';
import { type ChangesFold, openChanges } from './changes.ts';
import { type DaysFold, openDays } from './days.ts';
import { openEvidence } from './evidence.ts';
import { openMerges } from './merges.ts';
import type { Bar, IterationPage, MergeView, RequestView, RunAction, RunPage, SentView } from './page.ts';
import { openRequests } from './requests.ts';
import { shownAttempt } from './shown.ts';
import { taskNodes } from './task-nodes.ts';

/** Everything that the page shows of one run, as one fold of its journal. */
export interface RunFold {
  add(event: JournalEvent): void;
  history(): RunHistory;
  bars(most?: number): readonly Bar[];
  iteration(number: number): IterationPage | null;
  requests(): readonly RequestView[];
  merges(): readonly MergeView[];
  readonly changes: Pick<ChangesFold, 'of' | 'ofRun'>;
  readonly days: DaysFold;
  readonly begun: BegunEffects;
  /** Of the last event; 0 before the first. */
  position(): { readonly seq: number; readonly atMs: number };
}

export function openRunFold(dateOf: (ms: number) => string): RunFold {
  const [history, bars, evidence, days] = [openHistory({ mostIterations: MOST_BARS, mostReds: 0 }), openBars(), openEvidence(), openDays(dateOf)];
  const [changes, merges, requests] = [openChanges(), openMerges(), openRequests()];
  const begun = openBegunEffects();
  let [seq, atMs] = [0, 0];
  return {
    ...{ days, changes, begun, history: history.history },
    add(event) {
      for (const fold of [history, bars, evidence, days, changes, merges, requests, begun]) fold.add(event);
      [seq, atMs] = [event.seq, event.at];
    },
    bars: (most = MOST_BARS) => bars.bars(history.history(), most),
    requests: () => requests.requests(history.history().state),
    merges: () => merges.merges(history.history().state),
    iteration(number) {
      const page = evidence.page(number, history.history());
      const attempt = shownAttempt(history.history(), number)?.attempt ?? null;
      return page && { ...page, attempt, has_changes: changes.of(number) !== null };
    },
    position: () => ({ seq, atMs }),
  };
}

/** What only the world can tell, and the rest of what a page needs. */
export interface PageWorld extends Pick<WatchedRun, 'standing' | 'activity'> {
  readonly nowMs: number;
  /** The last known position of the journal; equal to that of the fold unless the past is shown. */
  readonly lastSeq: number;
  readonly isPast: boolean;
  readonly sent: readonly SentView[];
}

/** Null before the first event. */
export function runPage(fold: RunFold, world: PageWorld): RunPage | null {
  const history = fold.history();
  const { state } = history;
  const view = watchView(
    { state, begunMs: fold.begun.begunMs, idleMs: fold.begun.idleMs(world.nowMs), tasks: history.tasks, needs: [], ...world },
    world.nowMs,
  );
  if (view === null || state.run === null) return null;
  const { seq, atMs } = fold.position();
  const { iterations: _, run_folder: _folder, ...report } = runReport(history, { status: world.standing, runFolder: '' });
  const { needs: _needs, ...watch } = view;
  return {
    ...{ run_id: state.run.id, seq, last_seq: world.lastSeq, at: atMs, watch, report },
    bars: withoutTheDead(fold.bars(), world.standing, atMs),
    tasks: taskNodes(history, view.standing),
    ...{ merges: fold.merges(), requests: fold.requests(), sent: world.sent, agents: agentsIn(state.run.settings).map(agentName) },
    cost_limit_usd: budgetOf(state.run.settings).costUsd,
    can: world.isPast ? [] : actionsFor(view.standing, state),
  };
}

function actionsFor(standing: WatchedRun['standing'], { paused, stopped, run }: RunState): readonly RunAction[] {
  const tasks: readonly RunAction[] = factsOf(run?.settings).hasItems ? ['skip', 'retry'] : ['retry'];
  if (standing === 'running') return [paused ? 'go-on' : 'pause', 'drain', 'stop', 'note', 'budget', ...tasks];
  return standing === 'unknown' || (stopped !== null && isDone(stopped)) ? [] : ['resume', 'note', 'budget', ...tasks];
}
