import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Story, StoryPlan } from '../../src/journal/words/story.ts';
import { nameAuthor } from './committing-stage.ts';
import { type Crash, dieAt } from './dying-ralph.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RunningRalph, ralph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';
import { type EndedRun, endOf } from './stage.ts';
import type { Parts, StoryCall } from './story-part.ts';
import { until } from './until.ts';

/** A repository with a list of stories, the built CLI, and an agent that plays parts (story-agent.mjs). */
export interface StoriesStage extends AsyncDisposable {
  readonly repo: Repo;
  /** `ralph work` with that agent and `--json`, and what is given on top. */
  begin(...more: readonly string[]): RunningRalph;
  work(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  start(...args: readonly string[]): RunningRalph;
  ralph(...args: readonly string[]): Promise<EndedRun>;
  /** Waits for the end, and looks whether anything is left running. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** The same loop, which kills itself at one line of its journal. */
  crash(crash: Crash, ...more: readonly string[]): Promise<void>;
  /** Any command line of ours that kills itself there. */
  die(crash: Crash, ...args: readonly string[]): Promise<void>;
  /** What each call of the agent has found, in order. */
  calls(): readonly StoryCall[];
  /** `implement US-001`, …: one for every call. */
  turns(): readonly string[];
  plan(): StoryPlan;
  story(id: string): Story;
  /** As the file was after each call of the agent, once the loop was through with it. */
  after(): readonly StoryPlan[];
  /** The lines of all runs. */
  journal(): readonly Record<string, unknown>[];
  events(type: string): readonly Record<string, unknown>[];
  /** What was refused after each attempt, as it was written down. */
  refused(): readonly string[];
  /** Of the stories' branch, the first one first, without the user's own commit. */
  subjects(): readonly string[];
  /** A file as the loop has kept it before it put it back, from the newest ref that has it; null: none has. */
  kept(file: string): string | null;
  processes(): readonly FoundProcess[];
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
}

export interface StoriesProps {
  readonly top?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** The agent as a claude, which runs the hooks it is given. */
  readonly claude?: boolean;
  /** Another branch than the one of the list. */
  readonly on?: string;
}

export const BRANCH = 'ralph/demo';
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

/** One that nobody has begun. */
export function story(id: string, more: Partial<Story> = {}): Story {
  const text = { title: `Title of ${id}`, description: '', acceptanceCriteria: [`${id} is done`, `${id} is tested`] };
  return { id, ...text, priority: 1, passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '', notes: '', dependsOn: [], ...more };
}

export function planOf(stories: readonly Story[], top: Readonly<Record<string, unknown>> = {}): string {
  const plan = { project: 'demo', branchName: BRANCH, description: 'files', verifyCommands: ['test ! -e broken'], ...top, userStories: stories };
  return `${JSON.stringify(plan, null, 2)}\n`;
}

export const PRD = '# What is wanted\n';

/** The nth call plays the nth part; later ones work as they are told. */
export async function openStoriesStage(stories: readonly Story[], parts: readonly Parts[] = [], props: StoriesProps = {}): Promise<StoriesStage> {
  const { top = {}, files = {}, settings = SHORT_GRACE, env = {}, claude = false, on = BRANCH } = props;
  const own = { 'ralph/tasks.json': planOf(stories, top), 'ralph/prd.md': PRD, 'ralph/progress.txt': '# Progress\n', '.gitignore': '.ralph-active\n' };
  const repo = await openRepo({ ...own, '.ralph/settings.json': JSON.stringify(settings), ...files });
  nameAuthor(repo);
  if (on !== 'main') repo.git('switch', '-q', '-c', on);
  const { path, beside } = repo;
  await mkdir(join(beside, 'calls'));
  await writeFile(
    join(beside, 'parts.mjs'),
    `export const parts = [\n${parts.map((part) => `${typeof part === 'function' ? part : `[${part.join(',\n')}]`},\n`).join('')}];\n`,
  );
  const bin = claude ? await claudeIn(beside) : '';
  const place = {
    cwd: path,
    env: { HOME: beside, XDG_RUNTIME_DIR: beside, RALPH_STORY_STAGE: beside, IS_SANDBOX: '1', PATH: `${bin}${delimiter}${process.env['PATH']}`, ...env },
    withinMs: 200_000,
  };
  const start = (...args: readonly string[]) => startRalph(args, place);
  const words = (more: readonly string[]) => ['work', ...(more.includes('--agent') ? [] : ['--agent', claude ? 'claude' : `node ${AGENT}`]), '--json', ...more];
  const begin = (...more: readonly string[]) => start(...words(more));
  const runs = join(path, '.git', 'ralph', 'runs');
  const runIds = () => namesIn(runs).filter((name) => !name.includes('.lock'));
  const processes = () => processesOf(dirname(path), ...runIds());
  const over = async (running: Pick<RunningRalph, 'ended'>) => {
    const run = await endOf(running);
    if (run.signal !== null) await allGone(processes);
    expect(processes(), run.stderr).toEqual([]);
    return run;
  };
  const toEnd = (...args: readonly string[]) => over({ ended: ralph(args, place) });
  const calls = () => namesIn(join(beside, 'calls')).map((name): StoryCall => JSON.parse(readFileSync(join(beside, 'calls', name), 'utf8')));
  const text = () => readFileSync(join(path, 'ralph/tasks.json'), 'utf8');
  const plan = (): StoryPlan => JSON.parse(text());
  const journal = () => runIds().flatMap((run) => linesOf(join(runs, run, 'journal.jsonl')).map((line) => JSON.parse(line)));
  const die = async (crash: Crash, ...args: readonly string[]) => {
    await dieAt(crash, args, place);
    await allGone(processes);
  };
  return {
    ...{ repo, begin, start, over, processes, calls, plan, journal },
    work: (...more) => toEnd(...words(more)),
    ralph: toEnd,
    crash: (crash, ...more) => die(crash, ...words(more)),
    die,
    turns: () => calls().map(({ mode, story: id }) => `${mode} ${id}`),
    story: (id) => plan().userStories.find((each) => each.id === id) ?? story('nobody'),
    after: () =>
      [
        ...calls()
          .slice(1)
          .map(({ form }) => form ?? 'null'),
        text(),
      ].map((each): StoryPlan => JSON.parse(each)),
    events: (type) => journal().filter((event) => event['type'] === type),
    refused: () => journal().flatMap(({ type, refused }) => (type === 'stories.settled' ? [(refused as readonly string[]).join('\n')] : [])),
    subjects: () => repo.git('log', '--reverse', '--format=%s', BRANCH).split('\n').slice(1),
    kept: (file) => keptIn(repo, file),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(beside, file)), 60_000)),
    make: (file) => writeFile(join(beside, file), ''),
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await repo[Symbol.asyncDispose]();
    },
  };
}

const AGENT = fileURLToPath(new URL('./story-agent.mjs', import.meta.url));

/** How a story stands, in the order of the seed's table. */
export const standingOf = ({ reviewStatus, passes, reviewCount }: Story) => [reviewStatus, passes, reviewCount] as const;

export const standings = (plan: StoryPlan) => Object.fromEntries(plan.userStories.map((each) => [each.id, standingOf(each)]));

/** On the branch of the stories everything is committed, the file is what HEAD has, and neither a marker, a lock nor a process is left. */
export function expectTidy({ repo, processes }: StoriesStage): void {
  expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe(BRANCH);
  expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  expect(repo.git('show', 'HEAD:ralph/tasks.json')).toBe(readFileSync(join(repo.path, 'ralph/tasks.json'), 'utf8').trim());
  expect(existsSync(join(repo.path, '.ralph-active'))).toBe(false);
  expect(readdirSync(join(repo.path, '.git'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.lock'))).toEqual([]);
  expect(processes()).toEqual([]);
}

function keptIn(repo: Repo, file: string): string | null {
  const refs = repo.git('for-each-ref', '--sort=-creatordate', '--format=%(refname)', 'refs/ralph/kept').split('\n').filter(Boolean);
  const ref = refs.find((each) => repo.git('ls-tree', '--name-only', each, '--', file) !== '');
  return ref === undefined ? null : repo.git('show', `${ref}:${file}`);
}

async function claudeIn(beside: string): Promise<string> {
  await mkdir(join(beside, 'bin'));
  await symlink(AGENT, join(beside, 'bin', 'claude'));
  return join(beside, 'bin');
}

/** A guardian needs a moment. Each look costs more than a moment, so there are few. */
async function allGone(processes: () => readonly FoundProcess[]): Promise<void> {
  await until('all it had started is gone', async () => {
    await sleep(100);
    return processes().length === 0;
  });
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

function linesOf(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
