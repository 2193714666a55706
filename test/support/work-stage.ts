import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { nameAuthor } from './committing-stage.ts';
import { type Crash, dieAt } from './dying-ralph.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RunningRalph, ralph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';
import { type EndedRun, endOf } from './stage.ts';
import { until } from './until.ts';

/** A repository with a task graph, the built CLI, and an agent that is a shell script. */
export interface WorkStage extends AsyncDisposable {
  readonly repo: Repo;
  /** `ralph work` with the script as its agent and no pause, and what is given on top; here, or in another work tree. */
  begin(...more: readonly string[]): RunningRalph;
  beginIn(cwd: string, ...more: readonly string[]): RunningRalph;
  work(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  ralph(...args: readonly string[]): Promise<EndedRun>;
  start(...args: readonly string[]): RunningRalph;
  /** Waits for the end, and looks whether anything is left running. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** kill -9 of one loop alone; what all had started is gone when this resolves. */
  kill(running: RunningRalph): Promise<void>;
  /** The same loop, which kills itself at one line of its journal. */
  crash(crash: Crash, ...more: readonly string[]): Promise<void>;
  /** Any command line of ours that kills itself there. */
  die(crash: Crash, ...args: readonly string[]): Promise<void>;
  /** One for every call of the agent, in order: the task's id. */
  calls(): readonly string[];
  /** What agents were told of one task, in order. */
  prompts(id: string): readonly string[];
  /** The lines of all runs. */
  journal(): readonly Record<string, unknown>[];
  plan(): string;
  /** As the plan's file has it here. */
  statuses(): Readonly<Record<string, string>>;
  /** The tasks whose merges are on the base, the first one first. */
  merged(): readonly string[];
  processes(): readonly FoundProcess[];
  /** Files beside the work, by which agents and tests tell each other something. */
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  read(file: string): string;
}

export type Edge = readonly [from: string, to: string];

/** A task by its id, or with more of its fields in the words of the plan's file. */
export type Planned = string | readonly [id: string, fields: string];

interface Props {
  readonly edges?: readonly Edge[];
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** The agent says nothing by itself. */
  readonly quiet?: boolean;
  readonly withinMs?: number;
}

export const PLAN = 'task-graph.yaml';
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

/** Every line has a comment, so that whoever writes the file anew can be caught. */
export function planText(tasks: readonly Planned[], edges: readonly Edge[] = []): string {
  const nodes = tasks.map((task) => (typeof task === 'string' ? [task, ''] : task)).map(([id, fields]) => nodeText(`${id}`, `${fields}`));
  const arrows = edges.map(([from, to]) => `  - {from: ${from}, to: ${to}}\n`);
  return `# The plan.\nversion: "1.0"\nnodes:\n${nodes.join('')}edges:${arrows.length === 0 ? ' []\n' : `\n${arrows.join('')}`}`;
}

const nodeText = (id: string, fields: string) => `  - {id: ${id}, title: Title of ${id}, priority: 1, status: pending${fields && `, ${fields}`}} # on ${id}\n`;

/** In the script `$id` is the task, `$role` work or resolve, `$nth` the how manieth call for that task, and `$here` the folder beside the repository. */
export async function openWorkStage(tasks: readonly Planned[], script: string, props: Props = {}): Promise<WorkStage> {
  const { edges = [], files = {}, settings = SHORT_GRACE, env = {}, quiet = false, withinMs = 100_000 } = props;
  const repo = await openRepo({ [PLAN]: planText(tasks, edges), '.ralph/settings.json': JSON.stringify(settings), ...files });
  nameAuthor(repo);
  const { path, beside } = repo;
  await mkdir(join(beside, 'prompts'));
  await writeFile(join(beside, 'agent.sh'), `${PRELUDE}${quiet ? '' : 'echo at work\n'}${script}\n`);
  const place = { cwd: path, env: { HOME: beside, XDG_RUNTIME_DIR: beside, ...env }, withinMs };
  const start = (...args: readonly string[]) => startRalph(args, place);
  const words = (more: readonly string[]) => ['work', ...(more.includes('--agent') ? [] : ['--agent', `sh ${join(beside, 'agent.sh')}`]), ...QUICK, ...more];
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
  const die = async (crash: Crash, ...args: readonly string[]) => {
    await dieAt(crash, args, place);
    await allGone(processes);
  };
  return {
    ...{ repo, begin, start, over, processes },
    beginIn: (cwd, ...more) => startRalph(words(more), { ...place, cwd }),
    work: (...more) => toEnd(...words(more)),
    ralph: toEnd,
    async kill(running) {
      running.child.kill('SIGKILL');
      await over(running);
    },
    crash: (crash, ...more) => die(crash, ...words(more)),
    die,
    calls: () => linesOf(join(beside, 'calls')),
    prompts: (id) => promptsIn(join(beside, 'prompts'), id),
    journal: () => runIds().flatMap((run) => linesOf(join(runs, run, 'journal.jsonl')).map((line) => JSON.parse(line))),
    plan: () => readFileSync(join(path, PLAN), 'utf8'),
    // While git brings the checkout forward the file is gone for a moment.
    statuses: () => statusesIn(textOrNothing(join(path, PLAN))),
    merged: () => mergesIn(repo.git('log', '--first-parent', '--reverse', '--format=%s', 'main')),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(beside, file)), 40_000)),
    make: (file) => writeFile(join(beside, file), ''),
    read: (file) => readFileSync(join(beside, file), 'utf8'),
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await repo[Symbol.asyncDispose]();
    },
  };
}

const QUICK = ['--pause', '0s', '--json'];

/** `claim` says by the plan's file that the task is complete: it costs less than a process of ours. `await` waits for a file beside. */
const PRELUDE = `here=$(dirname "$0")
branch=$(git symbolic-ref --short HEAD)
slug=\${branch#ralph/}
id=\${RALPH_TASK_ID:-\${slug%.*}}
echo "$id" >>"$here/calls"
nth=1
while ! ( set -C; : >"$here/prompts/$id.$nth" ) 2>/dev/null; do nth=$((nth + 1)); done
cat >"$here/prompts/$id.$nth"
case "$(head -n 1 "$here/prompts/$id.$nth")" in *'merge conflict'*) role=resolve ;; *) role=work ;; esac
await() { while [ ! -e "$here/$1" ]; do sleep 0.05; done; }
save() { git add -A; git commit -qm "work of $id"; }
work() { echo "by $id" >"$id.txt"; save; }
claim() { sed -i "/{id: $id,/s/status: [a-z-]*/status: complete/" ${PLAN}; }
`;

/** What an agent does that does what it is told. */
export const WORKS = 'work; claim';

/** At work until somebody ends it; the file says so. */
export const HANGS = 'echo $$ >"$here/busy.$id"\nexec sleep 600';

/** What was written down of one kind, in order. */
export const eventsIn = (stage: WorkStage, type: string) => stage.journal().filter((event) => event['type'] === type);

/** How many commits of that subject are on the base. */
export const timesOnMain = ({ repo }: WorkStage, subject: string) =>
  repo
    .git('log', '--format=%s', 'main')
    .split('\n')
    .filter((line) => line === subject).length;

/** All of them done once, the user's branch has them, and nothing is left over: no worktree, branch, process, lock or change. */
export function expectAllDone(stage: WorkStage, ids: readonly string[]): void {
  expect(stage.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, 'complete'])));
  expect([...stage.merged()].sort()).toEqual([...ids].sort());
  for (const id of ids) expect([id, timesOnMain(stage, `work of ${id}`)]).toEqual([id, 1]);
  for (const id of ids) expect(stage.plan()).toMatch(new RegExp(`id: ${id},.*# on ${id}$`, 'm'));
  expect(stage.plan()).toMatch(/^# The plan\.$/m);
  expectTidy(stage);
  expectNoBase(stage);
}

/** What is on the base is on the branch too, so nothing keeps it. */
export function expectNoBase({ repo }: WorkStage): void {
  expect(repo.git('for-each-ref', 'refs/ralph/base')).toBe('');
  expect(existsSync(`${repo.path}.ralph`)).toBe(false);
}

export const branchesOf = ({ git }: Repo, ...which: readonly string[]) =>
  git('for-each-ref', '--format=%(refname:short)', ...which, 'refs/heads')
    .split('\n')
    .filter(Boolean);

/** Nothing lies about but what is kept on purpose: the branches of what is not on the base. */
export function expectTidy({ repo, processes }: WorkStage, unmerged: readonly string[] = []): void {
  expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
  expect(branchesOf(repo, '--no-merged=main')).toEqual(unmerged);
  expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  expect(readdirSync(join(repo.path, '.git'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.lock'))).toEqual([]);
  expect(processes()).toEqual([]);
}

/** A guardian needs a moment. Each look costs more than a moment, so there are few. */
async function allGone(processes: () => readonly FoundProcess[]): Promise<void> {
  await until('all it had started is gone', async () => {
    await sleep(100);
    return processes().length === 0;
  });
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

function promptsIn(folder: string, id: string): readonly string[] {
  const numbers = namesIn(folder).flatMap((name) => (name.startsWith(`${id}.`) ? [Number(name.slice(id.length + 1))] : []));
  return numbers.sort((a, b) => a - b).map((number) => readFileSync(join(folder, `${id}.${number}`), 'utf8'));
}

/** Read without any code of ours. */
const statusesIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/\{ *id: ([^,]+),.*?status: ([a-z-]+)/g)].map(([, id, status]) => [id ?? '', status ?? '']));

const mergesIn = (log: string) => [...log.matchAll(/^Merge task ([^:]+):/gm)].map(([, id]) => id ?? '');

function textOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
