import { dirname, join } from 'node:path';
import { nameAuthor } from './committing-stage.ts';
import { type ModelRequest, perSession, playScenario, type Scenario } from './model-server/scenario.ts';
import { openModelServer } from './model-server/server.ts';
import { run, say } from './model-server/turns.ts';
import { processesOf } from './processes-of.ts';
import { type RunningRalph, startRalph } from './ralph.ts';
import { binFolder, claudeEnv, codexEnv, type RealAgents } from './real-agents.ts';
import { openRepo, type Repo } from './repo.ts';
import { type EndedRun, endOf } from './stage.ts';
import { until } from './until.ts';

/** The tasks of a plan, each with those it needs. */
type Needs = Readonly<Record<string, readonly string[]>>;

/** What the agents of a task do, the first one first. */
type Parts = Readonly<Record<string, readonly Scenario[]>>;

interface Crew {
  /** Both: codex goes on where claude cannot. */
  readonly name: 'claude' | 'codex' | 'claude,codex';
  readonly needs: Needs;
  /** Of a task that is not in it the agent does the work at once. */
  readonly parts?: Parts;
  readonly settings?: object;
  readonly subscriber?: boolean;
}

/** The built `ralph work` on a plan, with real agents; only the model is scripted. */
export interface WorkAgent extends AsyncDisposable {
  readonly repo: Repo;
  begin(...more: readonly string[]): RunningRalph;
  work(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  ralph(...args: readonly string[]): Promise<EndedRun>;
  /** Waits for the end, and for that of all it had started. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** What the model was first asked by each agent, in order. */
  agents(): readonly ModelRequest[];
  /** What the tools have answered, for a test that fails. */
  toolResults(): string;
  /** A file as the operator's branch has it, and what its plan says of each task. */
  merged(file: string): string;
  statuses(): Readonly<Record<string, string>>;
}

const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

export const CHAIN: Needs = { 'T-1': [], 'T-2': ['T-1'], 'T-3': ['T-2'] };
export const DIAMOND: Needs = { 'T-1': [], 'T-2': ['T-1'], 'T-3': ['T-1'], 'T-4': ['T-2', 'T-3'] };

export async function openWorkAgent(agents: RealAgents, { name, needs, parts = {}, settings = {}, subscriber = false }: Crew): Promise<WorkAgent> {
  const repo = await openRepo({ 'task-graph.yaml': planOf(needs), '.ralph/settings.json': JSON.stringify({ ...SHORT_GRACE, ...settings }) });
  nameAuthor(repo);
  const server = await openModelServer(perTask({ ...partsOf(needs), ...parts }));
  const world = { url: server.url, home: join(repo.beside, 'home'), bin: await binFolder(agents, repo.beside) };
  const has = (one: string) => name.split(',').includes(one);
  const env = { ...(has('claude') && (await claudeEnv({ ...world, subscriber }))), ...(has('codex') && (await codexEnv(world))) };
  const started: RunningRalph[] = [];
  const start = (...args: readonly string[]) => {
    const running = startRalph(args, { cwd: repo.path, env, withinMs: 150_000 });
    started.push(running);
    return running;
  };
  const begin = (...more: readonly string[]) => start('work', '--agents', name, '--pause', '0', '--json', ...more);
  const merged = (file: string) => repo.git('show', `main:${file}`);
  const over = async (running: RunningRalph) => {
    const ended = await endOf(running);
    await until('nothing runs any more', () => processesOf(dirname(repo.path)).length === 0, 30_000);
    return ended;
  };
  return {
    ...{ repo, begin, over },
    work: (...more) => over(begin(...more)),
    ralph: (...args) => over(start(...args)),
    agents: () => [...new Map(server.requests.toReversed().map((request) => [request.session, request] as const)).values()].toReversed(),
    toolResults: () => server.requests.map(({ toolResults }) => toolResults.at(-1) ?? '').join('\n'),
    merged,
    statuses: () => Object.fromEntries([...merged('task-graph.yaml').matchAll(/"id":"(.+?)".*"status":"(.+?)"/g)].map(([, id, status]) => [id, status])),
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** What an agent does that works as it is told to: it notes who it is below what those before it have noted. */
export function worksOn(task: string, needs: readonly string[] = [], first = 'true'): Scenario {
  return [run(`${first} && ${writes(task, needs)} && git add -A && git commit -qm "work of ${task}" && ralph task complete ${task}`, 'I do it.'), say('Done.')];
}

/** The command that makes the output of a task. */
export function writes(task: string, needs: readonly string[] = []): string {
  const read = ['/dev/null', ...needs.map((need) => `${need}.txt`)].join(' ');
  return `{ cat ${read} && echo "$RALPH_TASK_ID.$RALPH_TASK_FENCE"; } >${task}.txt`;
}

function partsOf(needs: Needs): Parts {
  return Object.fromEntries(Object.entries(needs).map(([task, others]) => [task, [worksOn(task, others)]]));
}

function planOf(needs: Needs): string {
  const nodes = Object.keys(needs).map((id) => ({
    id,
    title: `Write ${id}.txt`,
    status: 'pending',
    output: `${id}.txt`,
    verify: `grep -q '^${id}[.]' ${id}.txt`,
  }));
  const edges = Object.entries(needs).flatMap(([to, all]) => all.map((from) => ({ from, to })));
  const lines = (items: readonly object[]) => items.map((item) => `  - ${JSON.stringify(item)}\n`).join('');
  return `version: "1.0"\nnodes:\n${lines(nodes)}edges:\n${lines(edges)}`;
}

/** Each agent is known by the task in its prompt: two workers may ask in any order. */
function perTask(parts: Parts): Scenario {
  const plays = new Map(Object.entries(parts).map(([task, scenarios]) => [task, perSession(...scenarios)] as const));
  return (request, index) => {
    const task = /^Your task: (\S+) - /m.exec(request.prompt)?.[1] ?? '';
    const play = plays.get(task);
    if (play === undefined) throw new Error(`nobody was to be asked about "${task}":\n${request.prompt}`);
    return playScenario(play, request, index);
  };
}
