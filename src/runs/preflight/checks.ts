import { agentEnvironment } from '../../agents/agent-access.ts';
import { wordsOf } from '../../agents/command-words.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { findExecutable } from '../../process/find-executable.ts';
import { checkAgent } from '../../settings/agent-of.ts';
import { agentVariablesOf } from '../../settings/schema/recipe-facts.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import { agentsOf, type VendorAgent, vendorAgent } from './agent-programs.ts';
import { checkCommits } from './commits.ts';
import { type Check, type CheckResult, fine, found, joined, NOTHING, type PlannedRun } from './finding.ts';
import { checkGatePrograms } from './gate-programs.ts';
import { checkDisk, checkNode } from './machine.ts';
import { checkUnlanded } from './unlanded.ts';

export interface NamedCheck {
  readonly name: string;
  readonly check: Check;
}

/** What every run needs. A run stops at the first fatal finding in this order. */
export const CHECKS: readonly NamedCheck[] = [
  { name: 'node', check: checkNode },
  { name: 'agent', check: forEachAgent(startsHere) },
  { name: 'login', check: forEachVendor(hasLogin) },
  { name: 'model', check: forEachVendor(async (agent, run) => await (await import('./model-reach.ts')).checkModel(agent, run)) },
  { name: 'gates', check: checkGatePrograms },
  { name: 'commits', check: checkCommits },
  { name: 'disk', check: checkDisk },
  { name: 'unlanded', check: checkUnlanded },
];

/** Those that are about one agent. */
const OF_AGENT: ReadonlySet<string> = new Set(['agent', 'login', 'model']);

export const AGENT_CHECKS = CHECKS.filter(({ name }) => OF_AGENT.has(name));
export const OTHER_CHECKS = CHECKS.filter(({ name }) => !OF_AGENT.has(name));

export interface NamedResult extends CheckResult {
  readonly name: string;
}

/** All at once; the results have the order of the checks. */
export async function runChecks(checks: readonly NamedCheck[], run: PlannedRun): Promise<readonly NamedResult[]> {
  return await Promise.all(checks.map(async ({ name, check }) => ({ name, ...(await check(run)) })));
}

function forEachAgent(look: (agent: AgentSpec, run: PlannedRun) => Promise<CheckResult>): Check {
  return async (run) => joined(await Promise.all(agentsOf(run.settings).map((agent) => look(agent, run))));
}

function forEachVendor(look: (agent: VendorAgent, run: PlannedRun) => Promise<CheckResult>): Check {
  return forEachAgent(async (spec, run) => {
    const agent = await vendorAgent(spec, run);
    return agent === null ? NOTHING : await look(agent, run);
  });
}

async function startsHere(spec: AgentSpec, run: PlannedRun): Promise<CheckResult> {
  const { settings, workspace } = run;
  try {
    await checkAgent({ ...settings, agent: spec }, { ...workspace, env: { ...workspace.env, ...agentVariablesOf(settings) } });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return found({ what: error.message, where: 'agent.command', fix: error.hint, isFatal: true });
  }
  const agent = await vendorAgent(spec, run);
  if (agent === null) return (await hiddenAgent(spec, run)) ?? fine(`${spec.command} exists; Ralph knows nothing of its login or model`);
  return await (await import('./agent-starts.ts')).checkAgentStarts(agent, run);
}

/** A plain command is not started: it may do anything. */
async function hiddenAgent(spec: AgentSpec, run: PlannedRun): Promise<CheckResult | null> {
  const { settings, workspace } = run;
  const [word = ''] = wordsOf(spec.command);
  const file = settings.wall.mode === 'os' ? await findExecutable(word, { path: workspace.env['PATH'] ?? '', cwd: workspace.cwd }) : null;
  if (file === null) return null;
  const env = agentEnvironment(workspace.env, { kind: spec.kind, pass: settings.wall.env.pass, env: spec.env });
  const { hiddenPrograms, showIt } = await import('./inside.ts');
  const [hidden] = await hiddenPrograms([{ word, file }], { who: 'agent', env, programs: [word], agentKind: spec.kind }, run);
  return hidden === undefined ? null : found({ what: `the sandbox "os" hides the agent ${word}`, where: file, fix: showIt(hidden), isFatal: true });
}

async function hasLogin({ preflight, place, definition }: VendorAgent): Promise<CheckResult> {
  const login = await preflight.login(place);
  if (login.state === 'unknown') return NOTHING;
  if (login.state === 'found') return fine(`${definition.name} has a login: ${login.by}`);
  const { what, where, fix } = login;
  return found({ what, where, fix, isFatal: true });
}
