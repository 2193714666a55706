import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nameAuthor } from './committing-stage.ts';
import type { ModelRequest, Scenario } from './model-server/scenario.ts';
import { openModelServer } from './model-server/server.ts';
import { say } from './model-server/turns.ts';
import { processesOf } from './processes-of.ts';
import { type RunningRalph, startRalph } from './ralph.ts';
import { binFolder, claudeEnv, codexEnv, type RealAgents } from './real-agents.ts';
import { openRepo, type Repo } from './repo.ts';
import { type EndedRun, endOf } from './stage.ts';
import { until } from './until.ts';

/** Unlike anything else on this machine, so that it is found wherever it leaks to. */
export const MODEL_KEY = 'sk-ant-api03-Zq7Hn2Vx9Lw4Ks8Tb3Rd6Mf1Yc5Pj0Ga';

type Name = 'claude' | 'codex';

export const TASK = 'Write hello into greeting.txt.';
export const CHECK = 'sh test/greeting.sh';
const TEST = 'grep -qsx hello greeting.txt && exit 0\necho "greeting.txt does not say hello"\nexit 1\n';
/** A second Ctrl-C is not waited for long. */
const SETTINGS = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };
export const complete = say('It is there, and the check passes.\n\nCOMPLETE');

/** A repository with a red check, a home with secrets, and a real agent that `ralph` starts; only its model is scripted. */
export interface EnclosedAgent extends AsyncDisposable {
  readonly repo: Repo;
  readonly home: string;
  /** `127.0.0.1:4711`, where the model is. */
  readonly modelHost: string;
  /** What the operator's own shell has, with which the same command can be tried outside. */
  readonly env: Readonly<Record<string, string>>;
  begin(...args: readonly string[]): RunningRalph;
  ralph(...args: readonly string[]): Promise<EndedRun>;
  loop(...more: readonly string[]): Promise<EndedRun>;
  /** Waits for the end, and for that of all it had started. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** What the model was asked last by each agent process: it holds all that was said before. */
  asked(): readonly ModelRequest[];
  /** What all tools have answered, the first one first. */
  toolResults(): readonly string[];
}

interface Play {
  readonly scenario: (place: Pick<EnclosedAgent, 'repo' | 'home'>) => Scenario;
  /** In the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the operator's own environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openEnclosedAgent(agents: RealAgents, name: Name, { scenario, files = {}, env: more = {} }: Play): Promise<EnclosedAgent> {
  const repo = await openRepo({ 'test/greeting.sh': TEST, '.ralph/settings.json': JSON.stringify(SETTINGS) });
  nameAuthor(repo);
  const home = join(repo.beside, 'home');
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), text);
  }
  const server = await openModelServer(scenario({ repo, home }));
  const env = { ...(await envOf(name, { url: server.url, home, bin: await binFolder(agents, repo.beside) })), ...more };
  const started: RunningRalph[] = [];
  const begin = (...args: readonly string[]) => {
    const running = startRalph(args, { cwd: repo.path, env, withinMs: 150_000 });
    started.push(running);
    return running;
  };
  const over = async (running: RunningRalph) => {
    const ended = await endOf(running);
    await until('nothing runs any more', () => processesOf(dirname(repo.path)).length === 0, 30_000);
    return ended;
  };
  const asked = () => [...new Map(server.requests.map((request) => [request.session, request] as const)).values()];
  return {
    modelHost: new URL(server.url).host,
    ...{ repo, home, env, begin, over, asked },
    ralph: (...args) => over(begin(...args)),
    loop: (...more) => over(begin('loop', TASK, '--agent', name, '--check', CHECK, '--max-iterations', '4', '--json', ...more)),
    toolResults: () => asked().flatMap(({ toolResults }) => toolResults),
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Nobody says that this machine is a sandbox. */
async function envOf(name: Name, world: { readonly url: string; readonly home: string; readonly bin: string }) {
  if (name === 'codex') return { ...(await codexEnv(world)), OPENAI_API_KEY: MODEL_KEY };
  const { IS_SANDBOX: _, ...env } = await claudeEnv(world);
  return { ...env, ANTHROPIC_API_KEY: MODEL_KEY };
}

/** The files below a folder that hold a text. */
export function filesWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}
