import { currentDirectory } from '../../cli/shared/flags.ts';
import { type SettingFlags, settingsFromFlags } from '../../cli/shared/settings-from-flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { openScope } from '../../kit/async/scope.ts';
import { plural } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import { functionAgent } from '../../settings/agent-of.ts';
import { withAgentsOnPath } from '../../settings/agents-on-path.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { runSettings } from '../../settings/run-settings.ts';
import { checksIn } from '../../settings/schema/loop-settings.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { type NamedResult, runChecks } from '../preflight/checks.ts';
import { DOCTOR_CHECKS } from '../preflight/doctor-checks.ts';
import type { Finding } from '../preflight/finding.ts';
import { withSandbox } from '../sandbox/choose-sandbox.ts';

interface DoctorFlags extends SettingFlags {
  readonly agent?: string;
  readonly agentKind?: string;
  readonly check?: readonly string[];
  readonly config?: string;
  readonly json?: boolean;
}

const FATAL = 4;

/** Exits 4 if a run could not work. */
export async function doctorCommand(flags: DoctorFlags): Promise<number> {
  const cwd = currentDirectory();
  const file = await fileOf(flags, cwd);
  await using scope = openScope();
  using signalled = untilSignalled();
  const workspace = await openWorkspace(cwd, scope);
  const { settings, findings } = await plannedSettings(file, workspace);
  const ownGates = await gatesOfPlan(workspace);
  const results = await runChecks(DOCTOR_CHECKS, { settings, workspace, ownGates, signal: signalled.signal });
  if (signalled.signal.aborted) return signalled.exitCode();
  const all = results.map((result) => ({ ...result, findings: [...findings.filter(({ name }) => name === result.name), ...result.findings] }));
  const exitCode = all.some((result) => result.findings.some(({ isFatal }) => isFatal)) ? FATAL : 0;
  io().stdout.write(flags.json ? `${JSON.stringify(jsonOf(all, exitCode))}\n` : `${linesOf(all).join('\n')}\n`);
  return exitCode;
}

/** The settings files with what the command line adds. The checks of a loop are gates too. */
async function fileOf({ agent, agentKind, check = [], config, ...sandbox }: DoctorFlags, cwd: string): Promise<SettingsFile> {
  const { settings } = await loadLoopSettings(cwd, config ?? null);
  const gates = [...checksIn(settings).checks, ...check].map((command) => ({ command }));
  const said = { ...settings.agent, ...(agent !== undefined && { command: agent, kind: undefined }), ...(agentKind !== undefined && { kind: agentKind }) };
  const over = { ...settings, agent: said, guardrails: [...(settings.guardrails ?? []), ...gates], ...settingsFromFlags('doctor', sandbox) };
  return checkSettings(over, (problem) => new OperatorError('usage', problem, { hint: 'ralph doctor --help shows every option.', exitCode: 2 }));
}

interface Planned {
  readonly settings: RunSettings;
  /** What already keeps the settings from being those of a run. */
  readonly findings: readonly (Finding & { readonly name: string })[];
}

/** The settings of a run here. Without an agent, or without the wanted sandbox, they are as near as can be, so that the other checks can be made. */
async function plannedSettings(file: SettingsFile, workspace: Workspace): Promise<Planned> {
  const prompt = { from: 'text' as const, text: '' };
  const here = await orFinding(withAgentsOnPath(file, {}, workspace.cwd), { name: 'agent', where: 'PATH, and agent.command in .ralph/settings.json' });
  const asked =
    'isFatal' in here
      ? { ...runSettings(file, { prompt, over: { agent: { command: 'none' } } }, workspace.cwd), agent: functionAgent({ agent: 'none' }) }
      : runSettings(here, { prompt, over: {} }, workspace.cwd);
  const missing = 'isFatal' in here ? [here] : [];
  const settings = await orFinding(withSandbox(asked, workspace), { name: 'sandbox', where: 'sandbox.mode' });
  if (!('isFatal' in settings)) return { settings, findings: missing };
  return { settings: { ...asked, wall: { ...asked.wall, mode: 'guard', workspace: 'place' } }, findings: [...missing, settings] };
}

/** The checks of the plan on which `ralph work` would begin here. Whether the plan is in order is for `ralph task check`. */
async function gatesOfPlan({ git }: Workspace): Promise<readonly string[]> {
  if (git === null) return [];
  const [{ findPlan }, { openPlanStore }] = await Promise.all([import('../../plans/find/find-plan.ts'), import('../../plans/open-plan-store.ts')]);
  const top = git.topLevel;
  try {
    const plan = (await openPlanStore({ ...(await findPlan(top, null)), top, cacheFolder: null }).read())?.plan;
    return plan ? [...plan.verify, ...plan.tasks.flatMap(({ status, verify }) => (status === 'complete' ? [] : verify))] : [];
  } catch (error) {
    if (error instanceof OperatorError) return [];
    throw error;
  }
}

type Named = Planned['findings'][number];

/** What keeps any run from starting is a finding here. */
async function orFinding<T>(wanted: Promise<T>, at: Pick<Named, 'name' | 'where'>): Promise<T | Named> {
  try {
    return await wanted;
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exitCode !== FATAL) throw error;
    return { ...at, what: error.message, fix: error.hint, isFatal: true };
  }
}

function linesOf(results: readonly NamedResult[]): readonly string[] {
  const rows = results.flatMap(({ name, ok, findings }) => [
    ...findings.flatMap(({ what, where, fix, isFatal }) => [
      [isFatal ? 'error' : 'warning', name, oneLine(what)],
      ['', '', `at: ${oneLine(where)}`],
      ['', '', `fix: ${oneLine(fix)}`],
    ]),
    ...ok.map((text) => ['ok', name, oneLine(text)]),
  ]);
  const all = results.flatMap(({ findings }) => findings);
  const errors = all.filter(({ isFatal }) => isFatal).length;
  const end = errors > 0 ? `A run would not start here: ${plural(errors, 'error')}.` : 'A run can start here.';
  return [...alignRows([['state', 'check', 'result'], ...rows]), '', `${end}${warned(all.length - errors)}`];
}

const warned = (count: number) => (count === 0 ? '' : ` ${plural(count, 'warning')}.`);

function jsonOf(results: readonly NamedResult[], exitCode: number): object {
  return {
    ok: exitCode === 0,
    exit_code: exitCode,
    checks: results.map(({ name, ok, findings }) => ({ name, ok, findings: findings.map(({ isFatal, ...rest }) => ({ ...rest, fatal: isFatal })) })),
  };
}
