import { basename, resolve } from 'node:path';
import { readText } from '../kit/files/read-text.ts';
import { deepMerge } from '../kit/pure/deep-merge.ts';
import type { LoopGroup } from './schema/loop-settings.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { type CompleteSettings, DEFAULTS, type SettingsFile } from './schema/settings-file.ts';
import { checkBudget } from './check-budget.ts';
import { chooseAgent } from './choose-agent.ts';
import { loadLoopSettings } from './load-loop-settings.ts';
import { loopChecks } from './loop-checks.ts';
import { loopSettings } from './loop-settings.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { sandboxOver } from './sandbox-over.ts';
import type { WantedSettings } from './wanted-settings.ts';
import { worktreeSettings } from './worktree-settings.ts';

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
