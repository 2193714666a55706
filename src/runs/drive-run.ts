import { basename, join } from 'node:path';
import { accountVariables } from '../agents/agent-access.ts';
import { openAgent } from '../agents/open-agent.ts';
import { openDoor } from '../door/door.ts';
import { doorPath } from '../door/door-client.ts';
import { guardProjection, type Projection, type Watcher } from '../engine/contracts.ts';
import { drive } from '../engine/drive.ts';
import { type Ledger, openLedger } from '../engine/ledger.ts';
import type { Ports } from '../engine/ports/ports.ts';
import { watchCallerSignal, watchOsSignals } from '../engine/signals.ts';
import type { StartedRun } from '../journal/state/state.ts';
import { howToResume } from '../journal/words/outcome.ts';
import { openScope } from '../kit/async/scope.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { agentName, agentsIn } from '../limits/agents.ts';
import { openGuardian } from '../process/guardian.ts';
import type { ProcessWatch } from '../process/process-request.ts';
import type { ProcessRow } from '../process/process-table.ts';
import { sweepMarked } from '../process/sweep.ts';
import { keepProgressFile } from '../report/files/progress-file.ts';
import { keepRunJson } from '../report/files/run-json.ts';
import { runView } from '../report/views/run-view.ts';
import { openShell } from '../sandbox/command-shell.ts';
import { type Mask, openMask, secretsIn } from '../sandbox/environment/open-mask.ts';
import { closedPortsIn, type RefusalWatch, refusedIn, watchRefusals } from '../sandbox/sandbox-refusals.ts';
import { FUNCTION_KIND } from '../settings/agent-of.ts';
import { watchSettings, watchSpec } from '../settings/changed-settings.ts';
import { keepsTrees } from '../settings/check-settings.ts';
import { agentVariablesOf, factsOf } from '../settings/schema/recipe-facts.ts';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import { openQuota, quotaFolder } from '../store/quota-files.ts';
import { noGit, noHistory } from '../workspace/no-git.ts';
import { packNowAndThen } from '../workspace/pack-objects.ts';
import { keepEnd } from '../workspace/run-ends.ts';
import { watchInbox } from './inbox.ts';
import { landingOf, landWithEachCommit } from './land-run.ts';
import { prepareNotifier } from './open-notifier.ts';
import { openRecipePorts } from './open-recipe-ports.ts';
import type { OpenedRun } from './opened-run.ts';
import { handlerOf } from './recipes/handlers.ts';
import { projectionsOf, recipeOf, rootOf } from './recipes/parts.ts';
import type { RecipePorts } from './run-handles.ts';
import { type FinishedRun, warnFunctionOf } from './run-options.ts';
import { withEnclosedPrograms } from './sandbox/enclose-git-programs.ts';
import { gatesSandbox, hostEnvironment, openSandboxes, type Sandboxes } from './sandbox/open-sandboxes.ts';

export async function driveRun(run: OpenedRun): Promise<FinishedRun> {
  const { openedRun: told, secrets, open: openNotifier } = await prepareNotifier(run);
  refuseMissingFunction(told);
  await using scope = openScope();
  const openedRun = { ...told, workspace: await withEnclosedPrograms({ ...told, run: basename(run.runFolder), scope, warn: warnFunctionOf(run.options) }) };
  const { settings, clock, runFolder, options, workspace } = openedRun;
  await refuseOtherFiles(openedRun);
  const mask = openMask({ ...workspace.env, ...agentVariablesOf(settings) }, [...secrets, ...keysOf(openedRun)]);
  const root = await rootOf(settings, scope);
  const shown = [
    keepRunJson(join(runFolder, 'run.json')),
    ...progressOf(openedRun),
    ...(await projectionsOf(openedRun, root, mask)),
    ...(await openNotifier(mask.hide)),
    ...(await spansOf(openedRun)),
    ...(await options.projections(runFolder, settings.recipe)),
    ...(settings.landing?.when === 'green' ? [landWithEachCommit(settings.landing, basename(runFolder), workspace.env)] : []),
  ];
  const projections = shown.map((projection) => guardProjection(projection, warnFunctionOf(options)));
  for (const projection of projections) scope.defer(() => projection.close?.());
  const ledger = openLedger(openedRun.journal, clock, projections, mask.event);
  await ledger.record(openedRun.opening);
  for (const event of openedRun.said ?? []) await ledger.record(event);
  const { id: runId, sitting } = startedRun(ledger);
  const markerPrefix = `${runId}~${sitting}`;
  const guardian = openGuardian(`${markerPrefix}/`);
  scope.defer(() => guardian.close());
  const watch = { ...guardian, reportLeft: warnOfLeftProcesses(warnFunctionOf(options)) };
  const changedSettings = await watchSettings(workspace.cwd);
  const door = doorPath(runId, workspace.env);
  const { watcher: refusals, refuse } = watchRefusals();
  const walls = await openSandboxes(openedRun, { runId, doors: [door, ...(options.door === undefined ? [] : [options.door])], scope, onRefused: refuse });
  const around = await openRecipePorts(openedRun, root, { runId, markerPrefix, guardian: watch, door, scope, walls });
  const ports = await openPorts(openedRun, { runId, mask, watch, walls, refuse, projections, markerPrefix, changedSettings, ...around });
  const watchers = [refusals, ...watchersOf(openedRun, openDoor(door, clock.nowMs, around.rooms, around.openHooks), around.watcher)];
  if (openedRun.opening.type === 'run.started') await keepEndOf(openedRun, runId, 'start');
  const outcome = await drive(await recipeOf(settings), settings, ledger, { ports, watchers, handlerOf, gone: around.gone });
  await keepEndOf(openedRun, runId, 'end');
  // Whoever sent a signal does not wait.
  if (workspace.git !== null && outcome.signal === null) await packNowAndThen(workspace.git, workspace.env);
  return { outcome, view: runView(ledger.state, clock.nowMs()), runFolder, ...landingOf(settings) };
}

/** A key of an account is secret by its name there, whatever the operator calls his variable. */
function keysOf({ settings, workspace: { env } }: OpenedRun): readonly string[] {
  return agentsIn(settings).flatMap((agent) => secretsIn(accountVariables(agent.env, env)));
}

/** Keeps the state that `ralph diff` and `ralph undo` need. Runs that share their work tree with others keep nothing. */
async function keepEndOf({ opening, settings, workspace: { git, env }, options }: OpenedRun, run: string, which: 'start' | 'end'): Promise<void> {
  if (git === null || factsOf(settings).place !== 'work tree') return;
  const atStart = which === 'start' && opening.type === 'run.started' ? opening.found : null;
  const seen = keepsTrees(settings) ? (atStart ?? (await git.look())) : null;
  const trouble = await keepEnd({ topLevel: git.topLevel, env, git }, run, which, seen);
  if (trouble !== null) warnFunctionOf(options)(`this run cannot be undone later: ${trouble}`);
}

/** Only a loop has a progress file: the prompt of a run is the operator's own (seed 004). */
function progressOf({ settings, runFolder, workspace }: OpenedRun): readonly Projection[] {
  return factsOf(settings).keepsProgress ? [keepProgressFile(join(runFolder, 'progress.md'), join(workspace.home.viewFolder, 'progress.md'))] : [];
}

/** Loaded only where somebody wants it. */
async function spansOf({ settings: { otel }, workspace: { env }, options }: OpenedRun): Promise<readonly Projection[]> {
  if (otel === undefined) return [];
  const { exportSpans } = await import('../report/files/export-spans.ts');
  return [exportSpans({ url: otel, headers: env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '', warn: warnFunctionOf(options) })];
}

/** When the agent is a function, only the program that has the function can resume the run. */
function refuseMissingFunction({ settings, options }: OpenedRun): void {
  if (settings.agent.kind !== FUNCTION_KIND || options.openAgent) return;
  throw new OperatorError('agent-is-a-function', 'the agent of this run is a function of the program that started it', {
    hint: `Continue it from there, with ${factsOf(settings).place === 'task folder' ? 'superviseRoot({ runDir, runRoot, resume })' : 'runLoop({ resume, agentFactory })'}.`,
    exitCode: 2,
  });
}

/** Later iterations, or the operator, may have changed what a person allows. Nothing is journaled yet, so the claim waits on. */
async function refuseOtherFiles({ allowed, workspace: { git }, runFolder }: OpenedRun): Promise<void> {
  if (allowed === undefined || git === null || (await git.tree()) === allowed.tree) return;
  const { stat = '' } = (await git.history.changesSince(allowed.tree)) ?? {};
  const names = stat.split('\n').flatMap((line) => / *(.+?) +\|/.exec(line)?.[1] ?? []);
  const [shown, more] = [names.slice(0, 3).join(', '), names.length > 3 ? ` and ${names.length - 3} more` : ''];
  throw new OperatorError(
    'work-moved-on',
    `the files are not those of the claim in iteration ${allowed.iteration}${shown === '' ? '' : `: ${shown}${more} differ`}`,
    {
      hint: `Bring them back with: git restore --source=${allowed.tree} -- . (and remove new files), or go on without the claim: ${howToResume(basename(runFolder))}`,
      exitCode: 3,
    },
  );
}

function startedRun({ state }: Ledger): StartedRun {
  if (!state.run) throw new Error('The journal has no run.started.');
  return state.run;
}

function watchersOf({ options, settings, runFolder }: OpenedRun, door: Watcher, task: Watcher | null): Watcher[] {
  const always = [watchCallerSignal(options.signal), watchInbox(join(runFolder, 'inbox')), door, ...(task ? [task] : [])];
  return options.obeySignals ? [watchOsSignals(settings.limits.graceMs), ...always] : always;
}

/** No process may be left running. If one could not be stopped, the operator is told which. */
function warnOfLeftProcesses(warn: (text: string) => void): (rows: readonly ProcessRow[]) => void {
  return (rows) => {
    if (rows.length > 0) warn(`could not stop ${rows.map(({ pid }) => `process ${pid}`).join(', ')}; check it yourself`);
  };
}

interface Helpers extends RecipePorts {
  readonly runId: string;
  readonly mask: Mask;
  readonly watch: ProcessWatch;
  readonly walls: Sandboxes;
  readonly refuse: RefusalWatch['refuse'];
  readonly projections: readonly Projection[];
  readonly markerPrefix: string;
  readonly changedSettings: Ports['changedSettings'];
}

/** Opens the ports that the effects of this run use. */
async function openPorts(openedRun: OpenedRun, helpers: Helpers): Promise<Ports> {
  const { workspace, settings, clock, runFolder, options } = openedRun;
  const { runId, mask, watch, walls, refuse, projections, markerPrefix, changedSettings, own, agent, agentEnv } = helpers;
  const behind = gatesSandbox(openedRun, walls);
  const open = async (spec: AgentSpec, env: Helpers['agentEnv']) =>
    openAgent({ ...settings, agent: spec }, { env, git: workspace.git }, { guardian: watch, nowMs: clock.nowMs, wall: await walls.sandboxFor(spec.kind) });
  const takeOver = async (spec: AgentSpec) => {
    const equipped = helpers.equip(spec);
    return [agentName(spec), await open(equipped.agent, equipped.env)] as const;
  };
  return {
    clock,
    settings,
    ...own,
    agent: options.openAgent?.(agent, agentEnv) ?? (await open(agent, agentEnv)),
    fallback: new Map(await Promise.all((settings.fallback ?? []).map(takeOver))),
    quota: openQuota({
      folder: quotaFolder(workspace.env, workspace.git?.topLevel ?? workspace.cwd),
      run: runId,
      shared: helpers.shared,
      budget: helpers.budget,
      nowMs: clock.nowMs,
      warn: warnFunctionOf(options),
    }),
    command: openShell({ ...behind, hostEnv: await hostEnvironment(openedRun), mask: mask.openStream, guardian: watch }),
    git: workspace.git?.guardedBy(watch, behind) ?? noGit,
    history: workspace.git?.history ?? noHistory,
    processes: {
      async reap(known) {
        watch.reportLeft(await sweepMarked(`${runId}~`, known));
      },
    },
    place: { markerPrefix, workspace: workspace.cwd, runFolder, viewFolder: workspace.home.viewFolder },
    changedSettings,
    changedSpec: watchSpec(settings.prompt.from === 'text' ? settings.prompt.text : ''),
    showAgentEvent: (attempt, event) => {
      if (settings.wall.mode === 'os') for (const refused of refusedIn(event, agent.kind === 'command')) refuse(refused);
      const told = mask.told(attempt, event);
      for (const projection of projections) projection.onAgentEvent?.(attempt, told);
    },
    async sign(receipt) {
      const { signReceipt } = await import('../proof/receipts/signing-key.ts');
      return await signReceipt(receipt, { env: workspace.env, workTree: workspace.git?.topLevel ?? workspace.cwd });
    },
    showProgress: (progress) => {
      const isRedInside = progress.type === 'gate.ended' && !progress.result.green && settings.wall.mode === 'os' && settings.wall.gates === 'inside';
      if (isRedInside) for (const refused of closedPortsIn(progress.result.output_end ?? progress.result.output)) refuse(refused);
      for (const projection of projections) projection.onProgress?.(progress);
    },
  };
}
