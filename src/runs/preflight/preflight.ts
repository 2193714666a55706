import { OperatorError } from '../../kit/pure/operator-error.ts';
import { agentsIn, hasSeveralAgents } from '../../limits/agents.ts';
import { io } from '../../process/io.ts';
import { leftOutText, withAgents } from '../../settings/agent-list.ts';
import { isChildRun, reviewAgentOf, withoutReviewAgent } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type RunOptions, warnFunctionOf } from '../run-options.ts';
import { AGENT_CHECKS, CHECKS, type NamedCheck, OTHER_CHECKS, runChecks } from './checks.ts';
import type { Finding, PlannedRun } from './finding.ts';

/** Refuses a run that could not work, before anything is written or spent. A run that another run has asked for was checked with that one. */
export async function preflight<S extends RunSettings>(asked: S, workspace: Workspace, options: RunOptions, ownGates: readonly string[] = []): Promise<S> {
  if (asked.preflight === false || isChildRun(asked)) return asked;
  const { settings, findings } = await interruptible(options, (signal) => checked({ settings: asked, workspace, ownGates, signal }, warnFunctionOf(options)));
  const fatal = findings.find(({ isFatal }) => isFatal);
  if (fatal !== undefined)
    throw new OperatorError('preflight', `${fatal.what} (${fatal.where})`, {
      hint: `${fatal.fix}${/[.?]$/.test(fatal.fix) ? '' : '.'} All checks: ralph doctor`,
      exitCode: 4,
    });
  for (const { what, where, fix } of findings) warnFunctionOf(options)(`${what} (${where}). ${fix}`);
  return withAgents(asked, agentsIn(settings));
}

interface CheckedRun {
  readonly settings: RunSettings;
  readonly findings: readonly Finding[];
}

/** Of several agents, those that cannot work are left out with a warning, as long as one can. */
async function checked(run: PlannedRun, warn: (text: string) => void): Promise<CheckedRun> {
  const { settings } = run;
  const findingsOf = async (checks: readonly NamedCheck[], one: RunSettings) =>
    (await runChecks(checks, { ...run, settings: one })).flatMap(({ findings }) => findings);
  if (!hasSeveralAgents(settings)) return { settings, findings: await findingsOf(CHECKS, settings) };
  const reviewer = reviewAgentOf(settings);
  const alone = (agent: AgentSpec) => findingsOf(AGENT_CHECKS, withAgents(withoutReviewAgent(settings), [agent]));
  const [agents, ...others] = await Promise.all([
    Promise.all(agentsIn(settings).map(async (agent) => ({ agent, findings: await alone(agent) }))),
    findingsOf(OTHER_CHECKS, settings),
    reviewer === null ? [] : alone(reviewer),
  ]);
  const able = agents.filter(({ findings }) => !findings.some(({ isFatal }) => isFatal));
  const kept = able.length === 0 ? agents : able;
  for (const { agent, findings } of agents.filter((each) => !kept.includes(each)))
    for (const { what, where, fix } of findings.filter(({ isFatal }) => isFatal)) warn(leftOutText(agent, `${what} (${where}). ${fix}`));
  return {
    settings: withAgents(
      settings,
      kept.map(({ agent }) => agent),
    ),
    findings: [...kept.flatMap(({ findings }) => findings), ...others.flat()],
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal ends what the checks have started, and then this process, as it would without a check. */
async function interruptible<T>({ signal, obeySignals }: RunOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (!obeySignals) return await work(signal);
  const { events } = io();
  const control = new AbortController();
  let received: NodeJS.Signals | null = null;
  const stop = (name: NodeJS.Signals) => {
    received ??= name;
    control.abort(new Error(name));
  };
  for (const name of SIGNALS) events.on(name, stop);
  const result = await work(control.signal).finally(() => {
    for (const name of SIGNALS) events.off(name, stop);
  });
  if (received === null) return result;
  if (events === process) process.kill(process.pid, received);
  throw new OperatorError('interrupted', `stopped by ${received} before the first iteration`, { hint: 'Nothing was started; start it again.', exitCode: 4 });
}
