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
import type { CompleteLoop, LoopGroup } from './schema/loop-settings.ts';
import { type CompleteSettings, DEFAULTS, type SettingsFile } from './schema/settings-file.ts';
import { sandboxOver } from './wall-of-settings.ts';
import { type WantedSettings, worktreeSettings } from './wanted-settings.ts';

export interface WantedLoop {
  readonly cwd: string;
  /** Null only where a spec says what is to be done. */
  readonly task: string | null;
  /** The path of a file that is given to the agent instead of the task. */
  readonly spec: string | null;
  /** The path of a file with settings that win over those of the workspace. */
  readonly config: string | null;
  /** Checks that must be red at the start. */
  readonly witnesses: readonly string[];
  /** Whether it is to run without any check. */
  readonly noChecks: boolean;
  /** The caller brings its own agent: no command is looked for, and only that agent knows what it costs. */
  readonly byFunction?: boolean;
  /** What the caller says; it wins over all files, but takes no check and no protection away. `agent` is laid over the one that is chosen. */
  readonly over: SettingsFile;
}

/** What a loop in this directory would be started with; refuses what could not be. */
export async function wantedLoop(wanted: WantedLoop): Promise<WantedSettings> {
  const { cwd, spec, over, witnesses } = wanted;
  const prompt = spec === null ? taskOf(wanted) : await readSpec(cwd, spec);
  const { settings: file, sources } = await loadLoopSettings(cwd, wanted.config);
  const { agent: agentOver = {}, ...others } = over;
  const said = deepMerge(deepMerge(DEFAULTS, file), { ...others, ...sandboxOver(file, over), loop: withListsOf(file.loop, over.loop) }) as CompleteSettings;
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

/** One more check must not weaken the proof: the lists of the files stay, and what both name is there once. */
function withListsOf(file: LoopGroup = {}, over: LoopGroup = {}): LoopGroup {
  const both = (key: 'checks' | 'protect') => [...new Set([...(file[key] ?? []), ...(over[key] ?? [])])];
  return { ...over, checks: both('checks'), protect: both('protect') };
}

function taskOf({ task }: WantedLoop): string {
  if (task !== null && task.trim() !== '') return task;
  throw new OperatorError('usage', 'a loop needs a task', { hint: 'Say what is to be done: ralph loop "make the tests pass" --check "npm test"', exitCode: 2 });
}

/** As it is now: what becomes of the file later is another thing. */
async function readSpec(cwd: string, spec: string): Promise<string> {
  const read = await readText(resolve(cwd, spec), 'refuse pipes');
  if (read.kind === 'text' && read.text.trim() !== '') return read.text;
  const why = read.kind === 'text' ? 'it is empty' : read.reason;
  throw read.kind === 'no-text' && read.why === 'missing'
    ? new OperatorError('usage', `spec file not found: ${spec}`, { hint: 'Check the path; a relative one begins in the directory you are in.', exitCode: 2 })
    : new OperatorError('usage', `spec file cannot be used: ${spec}: ${why}`, { hint: 'Name a file of UTF-8 text that says what is to be done.', exitCode: 2 });
}

interface Wishes {
  readonly witnesses: readonly string[];
  /** Whether it is to run without any check. */
  readonly noChecks: boolean;
}

/** The commands that decide. A witness is a check like any other, after the others; one that is both runs once. */
export function loopChecks({ checks }: Pick<CompleteLoop, 'checks'>, { witnesses, noChecks }: Wishes): readonly string[] {
  const commands = [...new Set([...(noChecks ? [] : checks), ...witnesses])];
  if (commands.length > 0 || noChecks) return commands;
  throw new OperatorError('check-missing', 'a loop needs a check that tells whether the work is done', {
    hint: 'Say one with --check "npm test", or in loop.checks of .ralph/settings.json; --no-checks goes on without.',
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
/** Those it looks for where nobody names one, the first choice first. */
const FIRST_CHOICES = ['claude', 'codex', 'amp'] as const;

/** The agent of a loop, by the name of a profile, by `build`, or by its command; over it what was said for this loop alone. */
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
    hint: 'Install one of them, or say which to run: --agent <command>, or {"agent": {"command": "…"}} in .ralph/settings.json.',
    exitCode: 4,
  });
}

/** The flags and the model of the project's own agent are for that one only. */
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
