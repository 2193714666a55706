import { join, resolve } from 'node:path';
import { withTaskFlags } from '../../../agents/find-definition.ts';
import { QUESTION_CLAIMS } from '../../../journal/words/claim.ts';
import { openScope, type Scope } from '../../../kit/async/scope.ts';
import { OperatorError, withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import { preflight } from '../../../runs/preflight/preflight.ts';
import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { checkAgent, FUNCTION_KIND, functionAgent } from '../../../settings/agent-of.ts';
import { withAgentsOnPath } from '../../../settings/agents-on-path.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { ms } from '../../../settings/run-limits.ts';
import { runSettings } from '../../../settings/run-settings.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { GateSpec, RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { DEFAULTS } from '../../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { lockTask, makeTaskFolder, taskRunsFolder } from '../../../store/lock-task-folder.ts';
import { newRunId } from '../../../store/run-home.ts';
import { type RootPlace, rootPlace } from '../../../store/task-place.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import type { SuperviseSettings } from '../supervised-task.ts';
import { clearWait } from '../task-folder/wait-marker.ts';
import { type JobOptions, type RootRequest, SUPERVISE_DEFAULTS, type SuperviseRequest } from './root-request.ts';
import { readTaskFiles } from './task-files.ts';

/** Restarts a root agent until its task folder says DONE. */
export function startSupervise(options: RunOptions & SuperviseRequest): Promise<FinishedRun> {
  return startRoot(options, async (place) => {
    const { file, sources } = await settingsHere(options, place);
    const wanted = superviseSettings(file, options, place);
    const { prompt, dependsOn, keep } = await readTaskFiles(place.folder, {
      prompt: promptAsNamed(options.prompt, options.cwd),
      dependsOn: options.supervise.dependsOn ?? [],
      needsPrompt: needsPrompt(wanted),
    });
    const settings = { ...wanted, prompt, supervise: { ...wanted.supervise, dependsOn: [...dependsOn] } };
    return { sources, settings, run: null, keep };
  });
}

/** Starts an agent once, with the runs it asks for. */
export function startJob(options: RunOptions & JobOptions): Promise<FinishedRun> {
  return startRoot(options, async (place) => {
    const { file, sources } = await settingsHere(options, place);
    const settings = jobSettings(file, options, place);
    if (options.prompt === null && needsPrompt(settings)) throw noPrompt();
    return { sources, settings, run: options.run, keep: async () => undefined };
  });
}

interface Wanted {
  readonly settings: SuperviseSettings;
  readonly sources: readonly string[];
  /** The run id that the starting process chose. */
  readonly run: string | null;
  /** Writes to the task folder what later starts need. */
  readonly keep: () => Promise<void>;
}

function startRoot(options: RunOptions & RootRequest, want: (place: RootPlace) => Promise<Wanted>): Promise<FinishedRun> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const clock = openSystemClock();
    const place = await rootPlace(options, clock.nowMs());
    const { settings: asked, sources, run: given, keep } = await want(place);
    const { workspace, settings } = await openCheckedWorkspace(options, asked, place, scope);
    const run = given ?? newRunId(clock.nowMs());
    await lockTask(settings.supervise, { run, isRestarted: factsOf(settings).isRestarted }, scope);
    await keep();
    // Whoever starts a task wants it to run: an earlier request to wait is over.
    if (factsOf(settings).isRestarted) await clearWait(place.folder);
    const runFolder = join(taskRunsFolder(place.folder), run);
    await makeTaskFolder(place.folder, join(runFolder, 'inbox'), 0o700);
    return await beginRun({ run, workspace, clock, options, settings, sources, origin: options.cwd, runFolder }, scope);
  });
}

interface CheckedWorkspace {
  readonly workspace: Workspace;
  /** With the chosen sandbox. */
  readonly settings: SuperviseSettings;
}

/** Refuses impossible settings before anything is written. */
async function openCheckedWorkspace(options: RunOptions & RootRequest, asked: SuperviseSettings, { cwd }: RootPlace, scope: Scope): Promise<CheckedWorkspace> {
  if (options.requireProof && options.checks.length === 0) throw noProof();
  const workspace = await openWorkspace(cwd, scope);
  const settings = await withSandbox(asked, workspace);
  await checkAgent(settings, { ...workspace, env: { ...workspace.env, ...settings.supervise.env } });
  await preflight(settings, workspace, options);
  await workspace.prepare();
  return { workspace, settings };
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'this run has no check, so nothing could prove that it is done', {
    hint: 'Add one with --check "npm test", or leave --require-proof out.',
    exitCode: 2,
  });
}

function noPrompt(): OperatorError {
  return new OperatorError('usage', 'must specify prompt (--prompt or --prompt-file)', {
    hint: 'For example: ralph job -p "Write the tests" --agent claude',
    exitCode: 2,
  });
}

/** A request, and the directory of the operator. */
type Asked<W> = W & { readonly cwd: string };

/** The settings of a supervised agent: from the settings files it takes the agent, the limits and the look. */
function superviseSettings(file: SettingsFile, request: Asked<SuperviseRequest>, place: RootPlace): SuperviseSettings {
  const chosen = { ...SUPERVISE_DEFAULTS, ...request.supervise };
  const spec = { ...specOf(request, place), ...chosen, dependsOn: [...chosen.dependsOn], parent: null };
  return { ...rootSettings(file, request, place), recipe: 'supervise', maximumIterations: spec.maxRestarts, supervise: spec };
}

function jobSettings(file: SettingsFile, request: Asked<JobOptions>, place: RootPlace): SuperviseSettings {
  const { parent, killChildren, waitTimeoutMs } = request;
  const chosen = { maxRestarts: 1, parent, killChildren, waitTimeoutMs: waitTimeoutMs ?? SUPERVISE_DEFAULTS.waitTimeoutMs };
  const spec = { ...specOf(request, place), ...SUPERVISE_DEFAULTS, ...chosen, dependsOn: [] };
  // A job has one start: only the day can end it.
  const { budget: _, ...settings } = rootSettings(file, request, place);
  return { ...settings, recipe: 'job', maximumIterations: 1, supervise: spec };
}

function specOf({ env }: RootRequest, { project, task, folder }: RootPlace): Pick<SuperviseSpec, 'project' | 'task' | 'folder' | 'env'> {
  return { project, task, folder, env: { ...env } };
}

/** The claim is a file or an exit, never a word; and commits are left to the agent. */
function rootSettings(file: SettingsFile, request: Asked<RootRequest>, { cwd, folder }: RootPlace): RunSettings {
  const { guardrails: _, scm: __, reviews: ___, requireChange: ____, ...kept } = file;
  const prompt = promptAsNamed(request.prompt, request.cwd) ?? { from: 'text' as const, text: '' };
  const settings = runSettings(kept, { prompt, over: { ...request.over, ...agentOver(request) } }, cwd);
  const limits = { ...settings.limits, idleMs: request.idleMs ?? 0, iterationMs: request.runMs ?? 0 };
  const agent = request.byFunction ? functionAgent({ agent: settings.agent.command }) : withTaskFlags(settings.agent, { commands: [], folder });
  return { ...settings, agent, claims: [...QUESTION_CLAIMS], gates: request.checks.map(gateOf), limits, includeIterationCount: false, requireChange: false };
}

async function settingsHere(request: RootRequest, { cwd }: RootPlace): Promise<{ readonly file: SettingsFile; readonly sources: readonly string[] }> {
  const { settings, sources } = await loadSettings(cwd);
  return { file: await withAgentsOnPath(settings, agentOver(request), cwd), sources };
}

function agentOver({ agent, command, agentKind, model, autonomy }: RootRequest): SettingsFile {
  const named = command.length > 0 ? { command: command.map(shellQuote).join(' '), kind: agentKind ?? 'command' } : agent === null ? {} : { command: agent };
  const said = { ...named, ...(agentKind !== null && { kind: agentKind }), ...(model !== null && { model }), ...(autonomy !== null && { autonomy }) };
  return Object.keys(said).length === 0 ? {} : { agent: said };
}

function gateOf(command: string): GateSpec {
  return { command, failAction: 'APPEND', hint: null, timeoutMs: ms(DEFAULTS.guardrailTimeout) };
}

/** Prompt files are relative to the operator's directory, not to that of the agent. */
function promptAsNamed(prompt: RunSettings['prompt'] | null, cwd: string): RunSettings['prompt'] | null {
  return prompt?.from === 'file' ? { from: 'file', path: resolve(cwd, prompt.path) } : prompt;
}

/** A plain command may do without a prompt: a script needs none. */
function needsPrompt({ agent }: Pick<RunSettings, 'agent'>): boolean {
  return agent.kind !== 'command' && agent.kind !== FUNCTION_KIND;
}
