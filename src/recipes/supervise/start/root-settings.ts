import { resolve } from 'node:path';
import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import type { GateSpec, RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { DEFAULTS, type SettingsFile } from '../../../settings/schema/settings-file.ts';
import { FUNCTION, functionAgent } from '../../../settings/agent-of.ts';
import { ms } from '../../../settings/run-limits.ts';
import { runSettings } from '../../../settings/run-settings.ts';
import { fitForATask } from './fit-for-a-task.ts';
import type { RootPlace } from '../../../store/root-place.ts';
import { type JobWish, type RootWish, SUPERVISE_DEFAULTS, type SuperviseWish } from './root-wish.ts';

/** A wish, and where the operator was. */
type Asked<W> = W & { readonly cwd: string };

/** The settings of a supervised agent: of the settings files it takes the agent, the limits and the look. */
export function superviseSettings(file: SettingsFile, wish: Asked<SuperviseWish>, place: RootPlace): RunSettings {
  const chosen = { ...SUPERVISE_DEFAULTS, ...wish.supervise };
  const spec = { ...specOf(wish, place), ...chosen, dependsOn: [...chosen.dependsOn], parent: null };
  return { ...rootSettings(file, wish, place), recipe: 'supervise', maximumIterations: spec.maxRestarts, supervise: spec };
}

export function jobSettings(file: SettingsFile, wish: Asked<JobWish>, place: RootPlace): RunSettings {
  const { parent, killChildren, waitTimeoutMs } = wish;
  const chosen = { maxRestarts: 1, parent, killChildren, waitTimeoutMs: waitTimeoutMs ?? SUPERVISE_DEFAULTS.waitTimeoutMs };
  const spec = { ...specOf(wish, place), ...SUPERVISE_DEFAULTS, ...chosen, dependsOn: [] };
  return { ...rootSettings(file, wish, place), recipe: 'job', maximumIterations: 1, supervise: spec };
}

function specOf({ env }: RootWish, { project, task, folder }: RootPlace): Pick<SuperviseSpec, 'project' | 'task' | 'folder' | 'env'> {
  return { project, task, folder, env: { ...env } };
}

/** The claim is a file or an exit, never a word; and what git does is the agent's own affair. */
function rootSettings(file: SettingsFile, wish: Asked<RootWish>, { cwd, folder }: RootPlace): RunSettings {
  const { guardrails: _, scm: __, reviews: ___, requireChange: ____, ...kept } = file;
  const prompt = promptAsNamed(wish.prompt, wish.cwd) ?? { from: 'text' as const, text: '' };
  const settings = runSettings(kept, { prompt, over: { ...wish.over, ...agentOver(wish) } }, cwd);
  const limits = { ...settings.limits, idleMs: wish.idleMs ?? 0, iterationMs: wish.runMs ?? 0 };
  const agent = wish.byFunction ? functionAgent({ agent: settings.agent.command }) : fitForATask(settings.agent, folder);
  return { ...settings, agent, claims: [], gates: wish.checks.map(gateOf), limits, includeIterationCount: false, requireChange: false };
}

function agentOver({ agent, command, agentKind, model, autonomy }: RootWish): SettingsFile {
  const named = command.length > 0 ? { command: command.map(shellQuote).join(' '), kind: agentKind ?? 'command' } : agent === null ? {} : { command: agent };
  const said = { ...named, ...(agentKind !== null && { kind: agentKind }), ...(model !== null && { model }), ...(autonomy !== null && { autonomy }) };
  return Object.keys(said).length === 0 ? {} : { agent: said };
}

function gateOf(command: string): GateSpec {
  return { command, failAction: 'APPEND', hint: null, timeoutMs: ms(DEFAULTS.guardrailTimeout) };
}

/** Prompt files are named from where the operator is, not from where the agent works. */
export function promptAsNamed(prompt: RunSettings['prompt'] | null, cwd: string): RunSettings['prompt'] | null {
  return prompt?.from === 'file' ? { from: 'file', path: resolve(cwd, prompt.path) } : prompt;
}

/** A plain command may do without a prompt: a script knows what it is for. */
export function needsPrompt({ agent }: Pick<RunSettings, 'agent'>): boolean {
  return agent.kind !== 'command' && agent.kind !== FUNCTION;
}
