import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Crash, dieAt } from './dying-ralph.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RunningRalph, ralph, startRalph } from './ralph.ts';
import { type EndedRun, endOf } from './stage.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';

/** A folder, the built CLI, and a root agent that is a shell script. */
export interface SuperviseStage extends AsyncDisposable {
  /** Where the supervisor is started. */
  readonly path: string;
  readonly beside: string;
  /** Where the tasks of the project lie, and the folder of the one task. */
  readonly project: string;
  readonly task: string;
  /** `ralph supervise` with the script as its agent, and what is given on top. */
  begin(...more: readonly string[]): RunningRalph;
  supervise(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  ralph(...args: readonly string[]): Promise<EndedRun>;
  start(...args: readonly string[]): RunningRalph;
  /** Waits for the end, and looks whether anything is left running. */
  over(running: RunningRalph): Promise<EndedRun>;
  /** kill -9 of the supervisor alone; what it had started is gone when this resolves. */
  kill(running: RunningRalph): Promise<void>;
  /** The same supervisor, which kills itself at one line of its journal. */
  crash(crash: Crash, ...more: readonly string[]): Promise<void>;
  /** Any command line of ours that kills itself there. */
  die(crash: Crash, ...args: readonly string[]): Promise<void>;
  /** One for every life of the agent: `1.1`, `2.1`, … */
  lives(): readonly string[];
  /** The prompts of all lives, as the run keeps them. */
  prompts(): readonly string[];
  messages(): readonly Message[];
  projectMessages(): readonly Message[];
  journal(): readonly Record<string, unknown>[];
  processes(): readonly FoundProcess[];
  /** Files beside the work, by which agents and tests tell each other something. */
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  /** A file in the task folder. */
  put(file: string, text?: string): Promise<void>;
}

export interface Message {
  readonly type: string;
  readonly body: string;
  readonly header: string;
}

interface Props {
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
}

export const PROJECT = 'demo';
export const TASK = 'the-task';

/** Nothing is waited for longer than a test needs. */
const QUICK = ['--restart-delay', '0', '--poll-interval', '50ms'];
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

/** In the script `$life` is the number of the life, `$attempt` that of the attempt, and `$here` the folder beside the work. */
export async function openSuperviseStage(script: string, { settings = SHORT_GRACE, env = {} }: Props = {}): Promise<SuperviseStage> {
  const folder = await openThrowAwayFolder();
  const [path, beside] = [join(folder.path, 'place'), join(folder.path, 'beside')];
  const project = join(path, '.ralph', 'tasks', PROJECT);
  const task = join(project, TASK);
  await mkdir(join(path, '.ralph'), { recursive: true });
  await mkdir(beside);
  await writeFile(join(path, '.ralph', 'settings.json'), JSON.stringify(settings));
  await writeFile(join(beside, 'agent.sh'), `${PRELUDE}\n${script}\n`);
  const place = { cwd: path, env: { HOME: beside, XDG_RUNTIME_DIR: beside, ...env } };
  const start = (...args: readonly string[]) => startRalph(args, place);
  const words = (more: readonly string[]) => {
    const agent = namesAgent(more) ? [] : ['--', 'sh', join(beside, 'agent.sh')];
    return ['supervise', '--project', PROJECT, '--task', TASK, '--json', ...QUICK, ...more, ...agent];
  };
  const begin = (...more: readonly string[]) => start(...words(more));
  const runs = () => runsIn(join(task, 'runs'));
  // Two that begin in the same second are not in order by their names.
  const begunAt = (run: string) => Number(/"at":(\d+)/.exec(linesOf(join(task, 'runs', run, 'journal.jsonl'))[0] ?? '')?.[1] ?? 0);
  const inOrder = () => runs().toSorted((one, other) => begunAt(one) - begunAt(other));
  const processes = () => processesOf(folder.path, ...runs());
  const over = async (running: Pick<RunningRalph, 'ended'>) => {
    const run = await endOf(running);
    // A child says that it is over before its process is, and the guardian of one that was killed takes a moment.
    if (processes().length > 0) await allGone(processes);
    expect(processes(), run.stderr).toEqual([]);
    return run;
  };
  const die = async (crash: Crash, ...args: readonly string[]) => {
    await dieAt(crash, args, place);
    await allGone(processes);
  };
  const toEnd = (...args: readonly string[]) => over({ ended: ralph(args, place) });
  return {
    ...{ path, beside, project, task, begin, start, over, processes },
    supervise: (...more) => toEnd(...words(more)),
    ralph: toEnd,
    async kill(running) {
      running.child.kill('SIGKILL');
      await over(running);
    },
    crash: (crash, ...more) => die(crash, ...words(more)),
    die,
    lives: () => linesOf(join(beside, 'lives')),
    prompts: () => inOrder().flatMap((run) => promptsIn(join(task, 'runs', run))),
    messages: () => messagesIn(join(task, 'TASK-MESSAGE-BUS.md')),
    projectMessages: () => messagesIn(join(project, 'PROJECT-MESSAGE-BUS.md')),
    journal: () => inOrder().flatMap((run) => linesOf(join(task, 'runs', run, 'journal.jsonl')).map((line) => JSON.parse(line))),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(beside, file)))),
    make: (file) => writeFile(join(beside, file), ''),
    async put(file, text = '') {
      await mkdir(task, { recursive: true });
      await writeFile(join(task, file), text);
    },
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await folder[Symbol.asyncDispose]();
    },
  };
}

const PRELUDE = `here=$(dirname "$0")
attempt=\${RALPH_MARKER##*/}
life=\${attempt%.*}
echo "$attempt" >>"$here/lives"`;

/** What an agent does that is done in that life, and not before. */
export const doneInLife = (life: number) => `[ "$life" -lt ${life} ] || : >"$TASK_FOLDER/DONE"`;

/** At work until somebody ends it; the file says so. */
export const HANGS = ': >"$here/busy"\nexec sleep 600';

/** What was written down of one kind, in order. */
export const eventsIn = (stage: SuperviseStage, type: string) => stage.journal().filter((event) => event['type'] === type);

export const bodiesOf = (messages: readonly Message[], type: string) => messages.filter((message) => message.type === type).map(({ body }) => body);

/** A guardian needs a moment. Each look costs more than a moment, so there are few. */
async function allGone(processes: () => readonly FoundProcess[]): Promise<void> {
  await until('all it had started is gone', async () => {
    await sleep(100);
    return processes().length === 0;
  });
}

function namesAgent(args: readonly string[]): boolean {
  return args.includes('--') || args.includes('--agent');
}

function runsIn(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !name.includes('.lock'))
        .sort()
    : [];
}

function promptsIn(runFolder: string): readonly string[] {
  const iterations = join(runFolder, 'iterations');
  if (!existsSync(iterations)) return [];
  const files = readdirSync(iterations, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('prompt.md'));
  return files.sort().map((file) => readFileSync(join(iterations, file), 'utf8'));
}

/** Read without any code of ours. The bodies of these tests have no lines of dashes. */
function messagesIn(file: string): readonly Message[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const entries = text.split(/^---\n(?=msg_id: )/m).slice(1);
  return entries.map((entry) => {
    const [header = '', ...body] = entry.split('\n---\n');
    return { type: /^type: (.*)$/m.exec(header)?.[1] ?? '', body: body.join('\n---\n').trimEnd(), header };
  });
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
