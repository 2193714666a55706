import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest, Scenario } from './model-server/scenario.ts';
import { openModelServer } from './model-server/server.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { binFolder, claudeEnv, codexEnv, type RealAgents } from './real-agents.ts';
import { openSuperviseStage, type SuperviseStage } from './supervise-stage.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';

/** The built `ralph supervise` with a real agent as its root; only the model is scripted. */
interface SupervisedAgent extends AsyncDisposable {
  readonly stage: SuperviseStage;
  /** What stands before all else on the command line of a supervisor. */
  readonly words: readonly string[];
  /** What the model was first asked by each life, in order. */
  lives(): readonly ModelRequest[];
  /** What the tools have answered, for a test that fails. */
  toolResults(): string;
  /** Waits until a tool has made that file where the agent works. */
  made(file: string): Promise<void>;
  /** A file where the agent works; empty when there is none. */
  read(file: string): string;
  processes(): readonly FoundProcess[];
}

interface Root {
  readonly name: 'claude' | 'codex';
  readonly scenario: Scenario;
  /** What the operator's own environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the operator, for the agent. */
  readonly flags?: readonly string[];
  /** Commands the guard lets pass. */
  readonly allow?: readonly string[];
}

/** A second Ctrl-C is not waited for long. */
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

export const PROMPT = 'Write the two halves into work.txt.';

export async function openSupervisedAgent(agents: RealAgents, { name, scenario, env = {}, flags = [], allow = [] }: Root): Promise<SupervisedAgent> {
  const folder = await openThrowAwayFolder();
  const server = await openModelServer(scenario);
  const world = { url: server.url, home: join(folder.path, 'home'), bin: await binFolder(agents, folder.path) };
  const agentEnv = name === 'claude' ? await claudeEnv(world) : await codexEnv(world);
  const stage = await openSuperviseStage('', { env: { ...agentEnv, ...env }, settings: { ...SHORT_GRACE, agent: { flags }, guard: { allow } } });
  const fileOf = (file: string) => join(stage.path, file);
  return {
    stage,
    words: ['-p', PROMPT, '--agent', name],
    lives: () => server.requests.filter(({ session }, at, all) => all.findIndex((other) => other.session === session) === at),
    toolResults: () => server.requests.map(({ toolResults }) => toolResults.at(-1) ?? '').join('\n'),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(fileOf(file)), 60_000)),
    read: (file) => (existsSync(fileOf(file)) ? readFileSync(fileOf(file), 'utf8') : ''),
    processes: () => processesOf(stage.path, folder.path),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
