import { openGitCli } from '../adapters/git/git-cli.ts';
import { buildPrompt } from '../core/prompt.ts';
import { readText } from '../kit/files/read-text.ts';
import { OperatorError } from '../model/operator-error.ts';
import type { RunSettings } from '../model/run-settings.ts';
import { environment } from './environment.ts';
import { agentOnPaper } from './open-agent.ts';
import { type WantedRun, wantedSettings } from './wanted-settings.ts';

export interface DryRun {
  readonly command: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
}

/** What the first attempt of such a run would be. The only thing that may run is the agent's own `--help`, for agents whose flags differ by version. */
export async function dryRunOf(wanted: WantedRun): Promise<DryRun> {
  const { cwd } = wanted;
  const { settings } = await wantedSettings(wanted);
  const env = environment();
  const agent = agentOnPaper(settings, { env, git: await openGitCli(cwd, env) });
  const base = await baseOf(settings.prompt);
  const prompt = buildPrompt({ base, failures: [], iteration: 1, maximum: settings.maximumIterations, includeCount: settings.includeIterationCount });
  const request = { prompt, output: 'events' as const, marker: 'dry-run/1.1', cwd, folder: '', idleMs: 0, deadlineMs: 0, maxOutputBytes: 0, lingerMs: 0 };
  return { command: await agent.describe(request), prompt, cwd };
}

async function baseOf(prompt: RunSettings['prompt']): Promise<string> {
  if (prompt.from === 'text') return prompt.text;
  const read = await readText(prompt.path, 'refuse pipes');
  if (read.kind === 'text') return read.text;
  throw new OperatorError('usage', `prompt file cannot be read: ${prompt.path}: ${read.reason}`, { hint: 'Put it back and try again.', exitCode: 2 });
}
