import { join } from 'node:path';
import { openShell } from '../adapters/shell/command-shell.ts';
import type { StartedRun } from '../core/state.ts';
import { runView } from '../core/views/run-view.ts';
import { drive } from '../engine/drive.ts';
import { type Ledger, openLedger } from '../engine/ledger.ts';
import type { Clock } from '../engine/ports/clock.ts';
import type { Journal } from '../engine/ports/journal.ts';
import type { Ports } from '../engine/ports/ports.ts';
import { fenced, type Projection } from '../engine/projection.ts';
import { keepProgressFile } from '../engine/projections/progress-file.ts';
import { keepRunJson } from '../engine/projections/run-json.ts';
import type { Watcher } from '../engine/watcher.ts';
import { watchCallerSignal } from '../engine/watchers/caller-signal.ts';
import { openTheDoor } from '../engine/watchers/door.ts';
import { watchInbox } from '../engine/watchers/inbox-folder.ts';
import { watchOsSignals } from '../engine/watchers/os-signals.ts';
import { openScope } from '../kit/async/scope.ts';
import { openGuardian } from '../kit/process/guardian.ts';
import type { ProcessRow } from '../kit/process/process-row.ts';
import type { ProcessWatch } from '../kit/process/process-watch.ts';
import { sweepMarked } from '../kit/process/sweep.ts';
import type { EventBody } from '../model/events/journal-event.ts';
import { OperatorError } from '../model/operator-error.ts';
import type { RunSettings } from '../model/run-settings.ts';
import { run as runRecipe } from '../recipes/run.ts';
import { watchSettings } from './changed-settings.ts';
import { watchSpec } from './changed-spec.ts';
import { FUNCTION } from './config/agent-of.ts';
import { doorPath } from './door-path.ts';
import { noGit, noHistory } from './no-git.ts';
import { openAgent } from './open-agent.ts';
import { type FinishedRun, type RunOptions, warner } from './run-options.ts';
import type { Workspace } from './workspace.ts';

/** A run with its journal open and its workspace held: new or resumed, the rest of the way is the same. */
export interface RunAtHand {
  readonly workspace: Workspace;
  readonly runFolder: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly opening: Extract<EventBody, { type: 'run.started' | 'run.resumed' }>;
}

export async function goOn(hand: RunAtHand): Promise<FinishedRun> {
  const { settings, clock, runFolder, options } = hand;
  refuseAStrangersFunction(hand);
  await using scope = openScope();
  const shown = [keepRunJson(join(runFolder, 'run.json')), ...progressOf(hand), ...options.projections(runFolder)];
  const projections = shown.map((projection) => fenced(projection, warner(options)));
  for (const projection of projections) scope.defer(() => projection.close?.());
  const ledger = openLedger(hand.journal, clock, projections);
  await ledger.record(hand.opening);
  const { id: runId, sitting } = startedRun(ledger);
  const markerPrefix = `${runId}~${sitting}`;
  const guardian = openGuardian(`${markerPrefix}/`);
  scope.defer(() => guardian.close());
  const watch = { ...guardian, left: tellWhatIsLeft(warner(options)) };
  const changedSettings = await watchSettings(hand.workspace.cwd);
  const ports = openPorts(hand, runId, { watch, projections, markerPrefix, changedSettings });
  const outcome = await drive(runRecipe, settings, ledger, { ports, watchers: watchersOf(hand, runId) });
  return { outcome, view: runView(ledger.state, clock.nowMs()), runFolder };
}

/** Only a loop has one: a run's prompt is the operator's own (seed 004). */
function progressOf({ settings, runFolder, workspace }: RunAtHand): readonly Projection[] {
  return settings.loop === null ? [] : [keepProgressFile(join(runFolder, 'progress.md'), join(workspace.home.viewFolder, 'progress.md'))];
}

interface Helpers {
  readonly watch: ProcessWatch;
  readonly projections: readonly Projection[];
  readonly markerPrefix: string;
  readonly changedSettings: Ports['changedSettings'];
}

/** A run whose agent is a function can only be gone on with by a program that has it. */
function refuseAStrangersFunction({ settings, options }: RunAtHand): void {
  if (settings.agent.kind !== FUNCTION || options.openAgent) return;
  throw new OperatorError('agent-is-a-function', 'the agent of this run is a function of the program that started it', {
    hint: 'Continue it from there, with runLoop({ resume, agentFactory }).',
    exitCode: 2,
  });
}

function startedRun({ state }: Ledger): StartedRun {
  if (!state.run) throw new Error('The journal has no run.started.');
  return state.run;
}

function openPorts(hand: RunAtHand, runId: string, { watch, projections, markerPrefix, changedSettings }: Helpers): Ports {
  const { workspace, settings, clock, runFolder, options } = hand;
  return {
    clock,
    settings,
    agent: options.openAgent?.(settings.agent) ?? openAgent(settings, workspace, { runId, guardian: watch, nowMs: clock.nowMs }),
    command: openShell({ env: workspace.env, guardian: watch }),
    git: workspace.git?.guardedBy(watch) ?? noGit,
    history: workspace.git?.history ?? noHistory,
    processes: {
      async reap(known) {
        watch.left(await sweepMarked(`${runId}~`, known));
      },
    },
    place: { markerPrefix, workspace: workspace.cwd, runFolder, viewFolder: workspace.home.viewFolder },
    changedSettings,
    changedSpec: watchSpec(settings.prompt.from === 'text' ? settings.prompt.text : ''),
    show: (attempt, event) => {
      for (const projection of projections) projection.onAgentEvent?.(attempt, event);
    },
    tell: (progress) => {
      for (const projection of projections) projection.onProgress?.(progress);
    },
  };
}

function watchersOf({ options, settings, runFolder, clock, workspace }: RunAtHand, runId: string): Watcher[] {
  const door = openTheDoor(doorPath(runId, workspace.env), clock.nowMs);
  const always = [watchCallerSignal(options.signal), watchInbox(join(runFolder, 'inbox')), door];
  return options.obeySignals ? [watchOsSignals(settings.limits.graceMs), ...always] : always;
}

/** Nothing may be left running; where something is all the same, the operator is told which. */
function tellWhatIsLeft(warn: (text: string) => void): (rows: readonly ProcessRow[]) => void {
  return (rows) => {
    if (rows.length > 0) warn(`could not end ${rows.map(({ pid }) => `process ${pid}`).join(', ')}; look at it yourself`);
  };
}
