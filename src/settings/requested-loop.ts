import { basename, resolve } from 'node:path';
import { readText } from '../kit/files/read-text.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import { environment } from '../sandbox/environment/environment.ts';
import type { NamedAgent } from './agent-of.ts';
import { checkBudget } from './check-settings.ts';
import { loadLoopSettings } from './load-loop-settings.ts';
import { loopSettings } from './loop-settings.ts';
import { type RequestedSettings, worktreeSettings } from './requested-settings.ts';
import { overrideSandbox } from './sandbox-of-settings.ts';
import type { CompleteLoop, LoopGroup } from './schema/loop-settings.ts';
import { type CompleteSettings, DEFAULTS, type SettingsFile } from './schema/settings-file.ts';

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
  const checks = loopChecks(said.loop, wanted);
  const agent = wanted.byFunction ? 'function' : await chooseAgent(said, agentOver, { cwd, path: environment()['PATH'] ?? '' });
  const settings = loopSettings(said, {
    cwd,
    prompt,
    spec: spec === null ? null : { path: resolve(cwd, spec), follow: said.loop.followSpec },
    checks,
    witnesses,
    agent,
  });
  if (!wanted.byFunction) checkBudget(settings);
  return { settings, sources, worktree: said.loop.worktree ? worktreeSettings(said, wanted.cwd, wanted.task?.trim() || basename(wanted.spec ?? '')) : null };
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

interface Wishes {
  readonly witnesses: readonly string[];
  /** Whether it is to run without any check. */
  readonly noChecks: boolean;
}

/** The gates of a loop: the checks, then the witnesses. Duplicates run once. */
export function loopChecks({ checks }: Pick<CompleteLoop, 'checks'>, { witnesses, noChecks }: Wishes): readonly string[] {
  const commands = [...new Set([...(noChecks ? [] : checks), ...witnesses])];
  if (commands.length > 0 || noChecks) return commands;
  throw new OperatorError('check-missing', 'a loop needs a check that proves the work', {
    hint: 'Add one with --check "npm test", or in loop.checks of .ralph/settings.json; --no-checks runs without.',
    exitCode: 2,
  });
}

interface Where {
  readonly cwd: string;
  readonly path: string;
}

type Profile = NonNullable<SettingsFile['agent']>;

/** The profile every project has (seed 004). */
const BUILD = 'build';
/** The agents to look for if the settings name none, in order of preference. */
const FIRST_CHOICES = ['claude', 'codex', 'amp'] as const;

/** The agent of a loop, found by the name of a profile, `build`, or its command, and overridden by the settings of this loop. */
export async function chooseAgent(said: CompleteSettings, over: Profile, where: Where): Promise<NamedAgent> {
  const profile = (await profileOf(said, where)) ?? (await commandOf(said, where));
  const model = said.loop.model === undefined ? {} : { model: said.loop.model };
  return [profile, model, over].reduce<unknown>(deepMerge, DEFAULTS.agent) as NamedAgent;
}

async function profileOf({ agent, agents = {}, loop }: CompleteSettings, where: Where): Promise<Profile | null> {
  const profile = Object.hasOwn(agents, loop.agent) ? agents[loop.agent] : undefined;
  if (profile?.command !== undefined) return profile;
  if (profile === undefined && loop.agent !== BUILD) return null;
  const command = agent.command ?? (await firstOnPath(where));
  return [{ command }, profile ?? {}].reduce<unknown>(deepMerge, agent) as Profile;
}

async function firstOnPath(where: Where): Promise<string> {
  for (const name of FIRST_CHOICES) {
    if ((await findExecutable(name, where)) !== null) return name;
  }
  throw new OperatorError('agent-not-found', `no agent is named, and none of ${FIRST_CHOICES.join(', ')} was found on PATH`, {
    hint: 'Install one of them, or name another: --agent <command>, or {"agent": {"command": "…"}} in .ralph/settings.json.',
    exitCode: 4,
  });
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
