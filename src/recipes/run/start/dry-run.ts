import { openDescribedAgent } from '../../../agents/open-agent.ts';
import type { AgentPort } from '../../../engine/ports/agent.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { promptOf } from '../../../runs/recipes/prompt-of.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { budgetOf, factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { openGitCli } from '../../../workspace/git/git-cli.ts';
import { noHistory } from '../../../workspace/no-git.ts';

export interface DryRun {
  readonly command: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
}

/** What the first attempt of such a run would be. Runs nothing but the agent's own `--help`, for agents whose flags differ by version. */
export async function dryRunOf(wanted: RunSettings, cwd: string): Promise<DryRun> {
  const env = environment();
  const git = await openGitCli(cwd, env);
  // Some agents have other flags in a sandbox, and claude works for root only there.
  const settings = await withSandbox(wanted, { cwd, env, git });
  const agent = openDescribedAgent(settings, { env, git });
  const prompt = await firstPrompt(settings, agent, cwd);
  const request = {
    prompt,
    output: 'events' as const,
    marker: 'dry-run/1.1',
    cwd,
    folder: '',
    idleMs: 0,
    deadlineMs: 0,
    maxOutputBytes: 0,
    lingerMs: 0,
    budgetUsd: budgetOf(settings).costUsd,
  };
  return { command: await agent.describe(request), prompt, cwd };
}

/** The prompt of a loop lacks the check results before the first iteration: a dry run does not run the checks. */
async function firstPrompt(settings: RunSettings, agent: AgentPort, cwd: string): Promise<string> {
  const place = { markerPrefix: 'dry-run', workspace: cwd, runFolder: '', viewFolder: '' };
  const world = {
    settings,
    agent,
    place,
    history: noHistory,
    changedSpec: async () => ({ text: null, isNew: false }),
  };
  const context = factsOf(settings).keepsProgress ? { since: null, error: '', progress: '', red_at_start: [] } : null;
  const first = { role: 'work' as const, iteration: 1, maximum: settings.maximumIterations, prompt: null, failures: [], context, previous_life: null };
  const prompt = await promptOf(first, world, async () => undefined);
  if (typeof prompt === 'string') return prompt;
  const { path, reason } = prompt;
  throw new OperatorError('usage', `prompt file cannot be read: ${path}: ${reason}`, { hint: 'Restore it and try again.', exitCode: 2 });
}
