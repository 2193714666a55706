import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Story, StoryPlan } from '../../src/journal/words/story.ts';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { nameAuthor } from './committing-stage.ts';
import { type ModelRequest, playScenario, type Scenario, type Turn } from './model-server/scenario.ts';
import { openModelServer } from './model-server/server.ts';
import { run, say } from './model-server/turns.ts';
import { processesOf } from './processes-of.ts';
import { type RunningRalph, startRalph } from './ralph.ts';
import { binFolder, claudeEnv, codexEnv, type RealAgents } from './real-agents.ts';
import { openRepo, type Repo } from './repo.ts';
import { type EndedRun, endOf } from './stage.ts';
import { BRANCH, PRD, planOf } from './stories-stage.ts';
import { until } from './until.ts';

/** `implement US-001`, …: what each agent of such a turn does, the first one first. Whoever is not in it works as it is told. */
type Parts = Readonly<Record<string, readonly Scenario[]>>;

interface Cast {
  readonly name: 'claude' | 'codex';
  readonly stories: readonly Story[];
  readonly parts?: Parts;
  /** What the operator's own environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the operator, for the agent. */
  readonly flags?: readonly string[];
}

/** What the model was asked by one agent with a context of its own. */
interface AgentTurn {
  readonly agent: ModelRequest['agent'];
  readonly session: string;
  /** `implement US-001` */
  readonly turn: string;
  readonly requests: readonly ModelRequest[];
}

/** The built `ralph work` on a list of stories, with real agents; only the model is scripted. */
export interface StoriesAgent extends AsyncDisposable {
  readonly repo: Repo;
  begin(...more: readonly string[]): RunningRalph;
  work(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  ralph(...args: readonly string[]): Promise<EndedRun>;
  /** Waits for the end, and for that of all it had started. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** In the order in which they came. */
  turns(): readonly AgentTurn[];
  /** What the model was asked and what its tools have answered, for a test that fails. */
  told(): string;
  plan(): StoryPlan;
  /** Of the stories' branch, the first one first, without the user's own commit. */
  subjects(): readonly string[];
  /** Waits until a tool has made that file beside the repository. */
  made(file: string): Promise<void>;
}

const EDITOR = fileURLToPath(new URL('./edit-stories.mjs', import.meta.url));
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

export async function openStoriesAgent(agents: RealAgents, { name, stories, parts = {}, env = {}, flags = [] }: Cast): Promise<StoriesAgent> {
  const own = { 'ralph/tasks.json': planOf(stories, VERIFIED), 'ralph/prd.md': PRD, 'ralph/progress.txt': '# Progress\n', '.gitignore': '.ralph-active\n' };
  const repo = await openRepo({ ...own, '.ralph/settings.json': JSON.stringify({ ...SHORT_GRACE, agent: { flags } }) });
  nameAuthor(repo);
  repo.git('switch', '-q', '-c', BRANCH);
  const server = await openModelServer(perTurn(parts));
  const world = { url: server.url, home: join(repo.beside, 'home'), bin: await binFolder(agents, repo.beside) };
  const agentEnv = { ...(await codexEnv(world)), ...(await claudeEnv(world)), ...env };
  const started: RunningRalph[] = [];
  const start = (...args: readonly string[]) => {
    const running = startRalph(args, { cwd: repo.path, env: agentEnv, withinMs: 150_000 });
    started.push(running);
    return running;
  };
  const begin = (...more: readonly string[]) => start('work', '--plan', 'ralph/tasks.json', '--agent', name, '--json', ...more);
  const over = async (running: RunningRalph) => {
    const ended = await endOf(running);
    await until('nothing runs any more', () => processesOf(dirname(repo.path)).length === 0, 30_000);
    return ended;
  };
  return {
    ...{ repo, begin, over },
    work: (...more) => over(begin(...more)),
    ralph: (...args) => over(start(...args)),
    turns: () => turnsIn(server.requests),
    told: () => server.requests.map(({ prompt, toolResults }) => toolResults.at(-1) ?? prompt.slice(-300)).join('\n---\n'),
    plan: () => JSON.parse(readFileSync(join(repo.path, 'ralph/tasks.json'), 'utf8')),
    subjects: () => repo.git('log', '--reverse', '--format=%s', BRANCH).split('\n').slice(1),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(repo.beside, file)), 60_000)),
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Everything is committed, the list is what HEAD has, and the marker is gone; that nothing runs any more is waited for at every end. */
export function expectTidy({ repo, plan }: StoriesAgent): void {
  expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe(BRANCH);
  expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  expect(JSON.parse(repo.git('show', 'HEAD:ralph/tasks.json'))).toEqual(plan());
  expect(existsSync(join(repo.path, '.ralph-active'))).toBe(false);
}

/** Red as long as a story's file says that it is broken. */
const VERIFIED = { verifyCommands: ['! grep -ls broken US-*.txt'] };

/** A change of the list, as a shell command. */
export const edits = (javascript: string) => [process.execPath, EDITOR, javascript].map(shellQuote).join(' ');
export const commits = (message: string) => `git add -A && git commit -qm ${shellQuote(message)}`;

const set = (id: string, fields: string) => edits(`Object.assign(of('${id}'), { ${fields} })`);
const notes = (what: string) => `echo ${shellQuote(`### ${what}`)} >>ralph/progress.txt`;
const does = (message: string, ...commands: readonly string[]): Scenario => [run([...commands, notes(message), commits(message)].join(' && ')), say('Done.')];

/** What an implementer writes into the list when it is done. */
export const handsIn = (id: string) => set(id, `reviewStatus: 'needs_review', passes: false, reviewCount: 0, notes: 'Wrote ${id}.txt.'`);
export const writes = (id: string, text = 'made') => `echo '${text}' >>${id}.txt`;
/** What a forger writes into the list; a reviewer says `verdict`. */
export const approval = (id: string) => edits(`Object.assign(of('${id}'), { reviewStatus: 'approved', passes: true }).reviewCount += 1`);
/** The end of a reviewer's last message. */
export const verdict = (decision: 'approved' | 'changes_requested', feedback = '') => `I looked.\n\n${JSON.stringify({ decision, feedback, notes: '' })}`;

export const messages = (id: string) => ({
  implement: `feat: [${id}] - Title of ${id}`,
  approved: `review: [${id}] - approved`,
  rejected: `review: [${id}] - changes requested`,
  fix: `fix: [${id}] - address review feedback`,
});

/** Agents that do as they are told, as far as they can: codex cannot commit. */
const implementsIt = (id: string) => does(messages(id).implement, writes(id), handsIn(id));
const approvesIt: Scenario = [say(verdict('approved'))];
export const rejectsIt = (why: string): Scenario => [say(verdict('changes_requested', why))];
const mendsIt = (id: string) => does(messages(id).fix, writes(id, 'mended'), set(id, `reviewStatus: 'needs_review', reviewFeedback: ''`));

function usually(turn: string): Scenario {
  const [mode, id = ''] = turn.split(' ');
  return mode === 'implement' ? implementsIt(id) : mode === 'review' ? approvesIt : mendsIt(id);
}

/** Each agent is known by its first prompt, whatever its hooks say to it later. */
function perTurn(parts: Parts): Scenario {
  const sessions = new Map<string, (request: ModelRequest) => Turn>();
  const seats = new Map<string, number>();
  return (request) => {
    const known = sessions.get(request.session) ?? newSession(parts, seats, turnOf(request));
    sessions.set(request.session, known);
    return known(request);
  };
}

function newSession(parts: Parts, seats: Map<string, number>, turn: string): (request: ModelRequest) => Turn {
  const seat = seats.get(turn) ?? 0;
  seats.set(turn, seat + 1);
  const scenario = parts[turn]?.[seat] ?? usually(turn);
  let index = 0;
  return (request) => playScenario(scenario, request, index++);
}

function turnOf({ prompt }: ModelRequest): string {
  const [, mode, id] = /mode `([a-z-]+)`, story `(\S+)`:/.exec(prompt.slice(prompt.lastIndexOf('## This iteration'))) ?? [];
  if (mode === undefined) throw new Error(`this is no turn of a story:\n${prompt}`);
  return `${mode} ${id}`;
}

function turnsIn(requests: readonly ModelRequest[]): readonly AgentTurn[] {
  const sessions = [...new Set(requests.map(({ session }) => session))];
  return sessions.flatMap((session) => {
    const own = requests.filter((request) => request.session === session);
    const [first] = own;
    return first === undefined ? [] : [{ agent: first.agent, session, turn: turnOf(first), requests: own }];
  });
}
