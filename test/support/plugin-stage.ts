import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameAuthor } from './committing-stage.ts';
import type { ModelRequest, Scenario } from './model-server/scenario.ts';
import { openModelServer } from './model-server/server.ts';
import { claudeEnv, type RealAgents } from './real-agents.ts';
import { openRepo, type Repo } from './repo.ts';
import { type BinaryEnding, runBinary } from './run-binary.ts';

export const pluginFolder = fileURLToPath(new URL('../../plugin', import.meta.url));

/** The real claude with our plugin, in a project with two stories that a loop is said to be at work on; only the model is scripted. */
export interface PluginStage extends AsyncDisposable {
  readonly repo: Repo;
  /** All that the model was asked. */
  readonly requests: readonly ModelRequest[];
  play(...flags: readonly string[]): Promise<BinaryEnding>;
}

interface Play {
  readonly scenario: Scenario;
  readonly prompt?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Null: no loop is at work here. */
  readonly marker?: object | null;
}

const story = (id: string, title: string, priority: number) => ({
  id,
  title,
  description: `${title}.`,
  acceptanceCriteria: ['it is there'],
  priority,
  passes: false,
  reviewStatus: null as string | null,
  reviewCount: 0,
  reviewFeedback: '',
  notes: '',
  dependsOn: [],
});

export const STORIES = {
  project: 'demo',
  branchName: 'main',
  description: 'Two stories.',
  verifyCommands: [],
  userStories: [story('US-001', 'The first', 1), story('US-002', 'The second', 2)],
};

const untouched = { passes: false, reviewStatus: null, reviewCount: 0 };

/** As the script of seed 003 writes it: no socket, and a process that is long gone. */
export const SEED_MARKER = {
  timestamp: '2026-01-01T00:00:00Z',
  pid: 2 ** 22 + 1,
  max_iterations: 15,
  mode: 'direct',
  skipReview: false,
  reviewCap: 5,
  iterationMode: 'implement',
  preIterationSnapshot: { 'US-001': untouched, 'US-002': untouched },
};

/** `tasks.json` with that of its first story. */
export const withFirst = (change: object) =>
  `${JSON.stringify({ ...STORIES, userStories: STORIES.userStories.map((each, at) => (at === 0 ? { ...each, ...change } : each)) }, null, 2)}\n`;

export async function openPluginStage(
  agents: RealAgents,
  { scenario, prompt = 'Work on your story.', env = {}, marker = SEED_MARKER }: Play,
): Promise<PluginStage> {
  const repo = await openRepo({ 'ralph/tasks.json': withFirst({}), 'ralph/prd.md': '# What is wanted\n', '.gitignore': '.ralph-active\n' });
  nameAuthor(repo);
  if (marker !== null) await repo.write('.ralph-active', JSON.stringify(marker));
  const server = await openModelServer(scenario);
  const claude = await claudeEnv({ url: server.url, home: join(repo.beside, 'home') });
  return {
    repo,
    requests: server.requests,
    play: (...flags) =>
      runBinary({
        file: agents.claude ?? '',
        args: ['-p', '--plugin-dir', pluginFolder, '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', ...flags],
        cwd: repo.path,
        env: { ...claude, ...env },
        stdin: prompt,
        withinMs: 120_000,
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}
