import { choiceOf, countOf, durationOf, intensityOf, positiveDurationOf, variablesOf } from '../../../cli/shared/flags.ts';
import { promptFrom } from '../../../cli/shared/run-flags.ts';
import { settingsFromFlags } from '../../../cli/shared/settings-from-flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import type { RootRequest, SuperviseRequest } from '../start/root-request.ts';
import type { RootFlags, SuperviseFlags } from './root-flags.ts';

/** The request that a command line makes. */
export async function rootRequestFromFlags(command: readonly string[], flags: RootFlags): Promise<RootRequest> {
  refuseTooManyAgents(command, flags);
  return {
    workIn: flags.cwd ?? null,
    root: flags.root ?? null,
    project: flags.project ?? null,
    task: flags.task ?? null,
    agent: flags.agent ?? null,
    command,
    agentKind: flags.agentKind ?? null,
    model: flags.model ?? null,
    autonomy: choiceOf('--autonomy', flags.autonomy, ['full', 'edits', 'ask']),
    prompt: flags.prompt === undefined && flags.promptFile === undefined ? null : await promptFrom(flags),
    checks: flags.check ?? [],
    requireProof: flags.requireProof === true,
    idleMs: durationOf('--idle-timeout', flags.idleTimeout),
    runMs: durationOf('--run-timeout', flags.runTimeout),
    env: variablesOf('--env', flags.env),
    over: settingsFromFlags('supervise', flags),
  };
}

export async function superviseRequestFromFlags(command: readonly string[], flags: SuperviseFlags): Promise<SuperviseRequest> {
  const { maxCost, maxCostPerDay, ...others } = flags;
  const request = await rootRequestFromFlags(command, others);
  const money = settingsFromFlags('run', { ...(maxCost !== undefined && { maxCost }), ...(maxCostPerDay !== undefined && { maxCostPerDay }) });
  return { ...request, over: { ...money, ...request.over }, supervise: said(flags) };
}

function said(flags: SuperviseFlags): SuperviseRequest['supervise'] {
  const all: { readonly [K in keyof SuperviseRequest['supervise']]: SuperviseSpec[K] | null } = {
    maxRestarts: countOf('--max-restarts', flags.maxRestarts),
    restartDelayMs: durationOf('--restart-delay', flags.restartDelay),
    backoffMs: durationOf('--backoff', flags.backoff),
    intensity: intensityOf('--restart-intensity', flags.restartIntensity),
    pollMs: positiveDurationOf('--poll-interval', flags.pollInterval),
    doneGraceMs: durationOf('--finish-on-done', flags.finishOnDone),
    waitTimeoutMs: positiveDurationOf('--wait-timeout', flags.waitTimeout),
    waitScope: choiceOf('--wait-scope', flags.waitScope, ['task', 'project']),
    dependsOn: flags.dependsOn === undefined ? null : [...flags.dependsOn],
    killChildren: flags.killChildren ?? null,
    failOnBlocked: flags.failOnBlocked ?? null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function refuseTooManyAgents(command: readonly string[], { agent }: RootFlags): void {
  if (agent === undefined || command.length === 0) return;
  throw new OperatorError('usage', 'cannot specify both --agent and a command after --', { hint: 'Leave one of them out.', exitCode: 2 });
}
