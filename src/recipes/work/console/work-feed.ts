import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { Progress } from '../../../journal/progress.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { bannerLines, resumedLines } from '../../../report/console/banner-lines.ts';
import type { Change } from '../../../report/console/change.ts';
import type { GateFeed } from '../../../report/console/gate-feed.ts';
import { gateWords, isWork } from '../../../report/console/gate-words.ts';
import type { Line } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { below } from '../../../report/console/work-lines.ts';
import { broughtLines, mergeLines, mergingLines, tellingLines } from './work-merge-lines.ts';
import { settledLines, troubleLines, waitingLines, workspaceClosedLines, workspaceLines } from './work-plan-lines.ts';
import { startingLine } from './work-rows.ts';
import { interruptedLines, workSummaryLines } from './work-summary-lines.ts';
import { agentEndedLines, claimedLines, executingLines, leftTaskLines, lostTaskLines, releasedLines, taskHeading } from './work-task-lines.ts';

/** The screen of a run on a plan (seed 000), where it differs from any other. */
export interface WorkFeed {
  /** Null: told like that of any other run. */
  hear(body: EventBody, change: Change): readonly Line[] | null;
  hearProgress(progress: Progress, state: RunState): readonly Line[] | null;
}

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;
type Teller<T extends EventBody['type']> = (body: Said<T>, change: Change, means: Means) => readonly Line[] | null;

interface Means {
  readonly look: Look;
  readonly gates: GateFeed;
}

export function openWorkFeed(look: Look, gates: GateFeed): WorkFeed {
  return {
    hear: (body, change) => (isWork(change.state.run) ? linesFor(body, change, { look, gates }) : null),
    hearProgress: (progress, { run }) => (isWork(run) ? below(gates.hear(progress, gateWords(run))) : null),
  };
}

function linesFor<T extends EventBody['type']>(body: Said<T>, change: Change, means: Means): readonly Line[] | null {
  const tell = tellers[body.type] as Teller<T> | undefined;
  return tell?.(body, change, means) ?? null;
}

/** What is not in it is told like that of any other run. */
const tellers: { readonly [T in EventBody['type']]?: Teller<T> } = {
  'run.started': (body, _change, { look }) => [...bannerLines(body), startingLine('Starting', look)],
  'run.resumed': (body, { state }, { look }) => [...resumedLines(body, state), startingLine('Resuming', look)],
  'run.stopped': ({ outcome }, { state, atMs }, { look, gates }) => workSummaryLines({ outcome, state, judged: gates.last, closed: [], atMs }, look),
  'iteration.opened': ({ iteration }, change, { look }) => taskHeading(iteration, change, look),
  'effect.begun': ({ effect }, change, { look }) => {
    if (effect.kind === 'run-agent') return executingLines(effect, change, look);
    return effect.kind === 'merge' ? mergingLines(change, look) : [];
  },
  'attempt.ended': (body, change, { look }) => agentEndedLines(body, change, look),
  'gates.judged': (body, change, { gates }) => [...below(gates.judged(body, change)), ...tellingLines(body.results)],
  'iteration.closed': (body, _change, { look }) => leftTaskLines(body, look),
  'operator.asked': (body, change, { look }) => interruptedLines(body, change, look),
  'task.none': (body, change, { look }) => waitingLines(body, change, look),
  'plan.troubled': (_body, change, { look }) => troubleLines(change, look),
  'task.claimed': (body, _change, { look }) => claimedLines(body, look),
  'task.lost': (body, _change, { look }) => lostTaskLines(body, look),
  'workspace.opened': (body, _change, { look }) => workspaceLines(body, look),
  'workspace.closed': (body, _change, { look }) => workspaceClosedLines(body, look),
  'plan.settled': (body, _change, { look }) => settledLines(body, look),
  'merge.judged': (body, change, { look }) => mergeLines(body, change, look),
  'base.brought': (body, change, { look }) => broughtLines(body, change, look),
  'task.released': (body, change, { look }) => releasedLines(body, change, look),
};
