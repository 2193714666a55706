import { basename, resolve } from 'node:path';
import type { Where } from '../agents/find-definition.ts';
import { readText } from '../kit/files/read-text.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { BUILD, type NamedAgent } from './agent-of.ts';
import { agentsOnPath } from './agents-on-path.ts';
import { loadLoopSettings } from './load-loop-settings.ts';
import { loopSettings } from './loop-settings.ts';
import { type RequestedSettings, worktreeSettings } from './requested-settings.ts';
import { ms } from './run-limits.ts';
import { gateOf, gatesWith } from './run-settings.ts';
import { overrideSandbox } from './sandbox-of-settings.ts';
import type { LoopGroup } from './schema/loop-settings.ts';
import type { GateSpec } from './schema/run-settings.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

export interface RequestedLoop {
  readonly cwd: string;
  /** Null only if there is a spec. */
  readonly task: string | null;
  /** The path of a file to use instead of a task. */
  readonly spec: string | null;
  /** The path of a settings file that overrides those of the workspace. */
  readonly config: string | null;
  /** Checks that must be red at the start. */
  readonly witnesses: readonly string[];
  /** Whether it is to run without any check. */
  readonly noChecks: boolean;
  /** The caller provides the agent as a function: Ralph looks for no command, and only that agent knows its cost. */
  readonly byFunction?: boolean;
  /** The caller's settings. They override all files, but remove no check and no protected path. `agent` overrides the chosen agent. */
  readonly over: SettingsFile;
}

/** The settings of a loop in this directory. Throws if it could not be started. */
export async function requestedLoop(wanted: RequestedLoop): Promise<RequestedSettings> {
  const { cwd, spec, over, witnesses } = wanted;
  const prompt = spec === null ? taskOf(wanted) : await readSpec(cwd, spec);
  const { settings: file, sources } = await loadLoopSettings(cwd, wanted.config);
  const { agent: agentOver = {}, ...others } = over;
  const said = deepMerge(deepMerge(DEFAULTS, file), { ...others, ...overrideSandbox(file, over), loop: withListsOf(file.loop, over.loop) }) as CompleteSettings;
  const gates = loopGates(said, file.loop ?? {}, wanted);
  const agent = wanted.byFunction ? 'function' : await chooseAgent(said, agentOver, { cwd, path: environment()['PATH'] ?? '' });
  const settings = loopSettings(said, {
    cwd,
    prompt,
    spec: spec === null ? null : { path: resolve(cwd, spec), follow: said.loop.followSpec },
    gates,
    witnesses,
    tag: over.loop?.completionTag ?? file.loop?.completionTag ?? file.completionResponse,
    agent,
  });
  const { landing } = said;
  const isApart = said.loop.worktree || landing !== 'each';
  return { settings, sources, landing, worktree: isApart ? worktreeSettings(said, wanted.cwd, wanted.task?.trim() || basename(wanted.spec ?? '')) : null };
}

/** A check from the caller must not weaken the proof: it adds to the lists of the files. Duplicates are removed. */
function withListsOf(file: LoopGroup = {}, over: LoopGroup = {}): LoopGroup {
  const both = (key: 'checks' | 'protect') => [...new Set([...(file[key] ?? []), ...(over[key] ?? [])])];
  return { ...over, checks: both('checks'), protect: both('protect') };
}

function taskOf({ task }: RequestedLoop): string {
  if (task !== null && task.trim() !== '') return task;
  throw new OperatorError('usage', 'a loop needs a task', { hint: 'Name the task: ralph loop "make the tests pass" --check "npm test"', exitCode: 2 });
}

/** Reads the current text; `followSpec` handles later changes. */
async function readSpec(cwd: string, spec: string): Promise<string> {
  const read = await readText(resolve(cwd, spec), 'refuse pipes');
  if (read.kind === 'text' && read.text.trim() !== '') return read.text;
  const why = read.kind === 'text' ? 'it is empty' : read.reason;
  throw read.kind === 'no-text' && read.why === 'missing'
    ? new OperatorError('usage', `spec file not found: ${spec}`, { hint: 'Check the path; a relative path starts at the current directory.', exitCode: 2 })
    : new OperatorError('usage', `spec file cannot be used: ${spec}: ${why}`, { hint: 'Name a UTF-8 text file that describes the task.', exitCode: 2 });
}

/**
 * The gates of a loop, each once: those of the files, those of the caller, then the witnesses. A project whose files have no `loop.checks` is held to the
 * `guardrails` that `ralph init` wrote.
 */
export function loopGates(
  said: CompleteSettings,
  ofFiles: LoopGroup,
  { witnesses, noChecks }: Pick<RequestedLoop, 'witnesses' | 'noChecks'>,
): readonly GateSpec[] {
  const guardrails = noChecks || (ofFiles.checks ?? []).length > 0 ? [] : said.guardrails.map((guardrail) => gateOf(guardrail, said.guardrailTimeout));
  const gates = gatesWith(guardrails, [...(noChecks ? [] : said.loop.checks), ...witnesses], ms(said.loop.checkTimeout));
  if (gates.length > 0 || noChecks) return gates;
  throw new OperatorError('check-missing', 'a loop needs a check that proves the work', {
    hint: 'Add one with --check "npm test", or in loop.checks of .ralph/settings.json; --no-checks runs without.',
    exitCode: 2,
  });
}

type Profile = NonNullable<SettingsFile['agent']>;

/** The agent of a loop, found by the name of a profile, `build`, or its command, and overridden by the settings of this loop. */
export async function chooseAgent(said: CompleteSettings, over: Profile, where: Where): Promise<NamedAgent> {
  const profile = (await profileOf(said, where)) ?? (await commandOf(said, where));
  const model = said.loop.model === undefined ? {} : { model: said.loop.model };
  const chosen = [profile, model, over].reduce<unknown>(deepMerge, DEFAULTS.agent) as NamedAgent;
  // Two accounts of one command have only the names of their profiles.
  return Object.hasOwn(said.agents ?? {}, said.loop.agent) && (chosen.env ?? chosen.configDir) !== undefined ? { ...chosen, name: said.loop.agent } : chosen;
}

async function profileOf({ agent, agents = {}, loop }: CompleteSettings, where: Where): Promise<Profile | null> {
  const profile = Object.hasOwn(agents, loop.agent) ? agents[loop.agent] : undefined;
  if (profile?.command !== undefined) return profile;
  if (profile === undefined && loop.agent !== BUILD) return null;
  const onPath = agent.command === undefined ? await agentsOnPath(where) : undefined;
  return [onPath === undefined ? {} : { command: onPath[0], onPath }, profile ?? {}].reduce<unknown>(deepMerge, agent) as Profile;
}

/** The flags and the model of the project's own agent apply only to that agent. */
async function commandOf({ agent, agents = {}, loop }: CompleteSettings, where: Where): Promise<Profile> {
  if (loop.agent === agent.command) return agent;
  const near = didYouMean(loop.agent, [...Object.keys(agents), BUILD]);
  if (near !== null && (await findExecutable(loop.agent, where)) === null) {
    throw new OperatorError('agent-not-found', `there is no agent "${loop.agent}": neither in agents nor on PATH`, {
      hint: `Did you mean ${near}?`,
      exitCode: 4,
    });
  }
  return { command: loop.agent };
}
