import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killPid } from './kill-pid.ts';
import type { TestServer } from './postgres.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { PRELOAD, type RalphRun, type RunningRalph, ralph, startRalph } from './ralph.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';
import { type Edge, PLAN, type Planned, planText } from './work-stage.ts';

/** A bare remote, a database, and clones with homes of their own that stand for machines. */
export interface FleetStage extends AsyncDisposable {
  readonly url: string;
  /** `ralph work` with the script as its agent in the clone of that number. */
  begin(machine: number, ...more: readonly string[]): RunningRalph;
  /** Any other command line there. */
  ralph(machine: number, ...args: readonly string[]): Promise<RalphRun>;
  start(machine: number, ...args: readonly string[]): RunningRalph;
  git(machine: number, ...args: readonly string[]): string;
  /** In the bare remote. */
  remote(...args: readonly string[]): string;
  /** A hook of the remote. */
  hook(name: string, script: string): Promise<void>;
  /** Task and machine of every call of the agent. */
  calls(): readonly string[];
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  processes(): readonly FoundProcess[];
}

interface Props {
  readonly edges?: readonly Edge[];
  readonly machines?: number;
  readonly lease?: string;
  /** Without it there is no fleet yet. */
  readonly isReady?: boolean;
  /** Machines whose clock is wrong, and by how much. */
  readonly skewMs?: Readonly<Record<number, number>>;
}

const GIT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', PATH: process.env['PATH'] ?? '' };

/** In the script `$id` is the task, `$machine` the clone it works for, and `$here` the folder that all share. */
export async function openFleetStage(server: TestServer, tasks: readonly Planned[], script: string, props: Props = {}): Promise<FleetStage> {
  const { edges = [], machines = 3, lease = '6s', isReady = true, skewMs = {} } = props;
  const folder = await openThrowAwayFolder();
  const here = folder.path;
  const url = await server.database();
  const at = (machine: number) => join(here, `m${machine}`);
  const home = (machine: number) => join(here, `home${machine}`);
  const bare = join(here, 'remote.git');
  const gitIn = (cwd: string, args: readonly string[]) =>
    execFileSync('git', [...args], { cwd, env: { ...GIT, HOME: here }, encoding: 'utf8', stdio: 'pipe' }).trim();
  await writeFile(join(here, 'agent.sh'), `${preludeOf(here)}${script}\n`);
  gitIn(here, ['init', '-q', '--bare', '-b', 'main', bare]);
  for (let machine = 1; machine <= machines; machine += 1) {
    gitIn(here, ['clone', '-q', bare, at(machine)]);
    await mkdir(home(machine));
    gitIn(at(machine), ['config', 'user.name', 'Operator']);
    gitIn(at(machine), ['config', 'user.email', 'operator@example.com']);
    if (machine > 1) continue;
    await mkdir(join(at(1), '.ralph'));
    await writeFile(join(at(1), '.ralph/settings.json'), JSON.stringify({ shutdownGrace: { sigterm: '1s', sigint: '1s' } }));
    await writeFile(join(at(1), PLAN), planText(tasks, edges));
    gitIn(at(1), ['checkout', '-q', '-B', 'main']);
    gitIn(at(1), ['add', '-A']);
    gitIn(at(1), ['commit', '-q', '-m', 'plan']);
    gitIn(at(1), ['push', '-q', 'origin', 'main']);
  }
  const place = (machine: number) => ({
    cwd: at(machine),
    env: { HOME: home(machine), XDG_RUNTIME_DIR: home(machine), RALPH_STORE: url, MACHINE: `${machine}`, [PRELOAD]: clockOff(skewMs[machine] ?? 0) },
    withinMs: 120_000,
  });
  const words = ['work', '--agent', `sh ${join(here, 'agent.sh')}`, '--pause', '0s', '--json'];
  const processes = () => processesOf(here);
  const stage: FleetStage = {
    url,
    begin: (machine, ...more) => startRalph([...words, ...more], place(machine)),
    start: (machine, ...args) => startRalph(args, place(machine)),
    ralph: (machine, ...args) => ralph(args, place(machine)),
    git: (machine, ...args) => gitIn(at(machine), args),
    remote: (...args) => gitIn(bare, args),
    async hook(name, text) {
      await writeFile(join(bare, 'hooks', name), `#!/bin/sh\n${text}\n`);
      await chmod(join(bare, 'hooks', name), 0o755);
    },
    calls: () => (existsSync(join(here, 'calls')) ? readFileSync(join(here, 'calls'), 'utf8').trim().split('\n') : []),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(here, file)), 60_000)),
    make: (file) => writeFile(join(here, file), ''),
    processes,
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) {
        try {
          killPid(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
      await folder[Symbol.asyncDispose]();
    },
  };
  if (isReady) {
    const made = await stage.ralph(1, 'fleet', 'init', '--name', 'the fleet', '--lease', lease);
    if (made.code !== 0) throw new Error(made.stderr);
  }
  return stage;
}

/** A module that a process loads first. Only the wall clock is wrong, as in a machine. */
function clockOff(ms: number): string {
  const code = `const R = Date; globalThis.Date = class Date extends R { constructor(...a) { super(...(a.length ? a : [R.now() + ${ms}])); } static now() { return R.now() + ${ms}; } };`;
  return `data:text/javascript,${encodeURIComponent(ms === 0 ? '' : code)}`;
}

const preludeOf = (here: string) => `here=${here}
branch=$(git symbolic-ref --short HEAD)
slug=\${branch#ralph/}
id=\${slug%.*}
machine=\${PWD#$here/m}
machine=\${machine%%.*}
cat >/dev/null
echo "$id $machine" >>"$here/calls"
echo at work
await() { while [ ! -e "$here/$1" ]; do sleep 0.05; done; }
work() { echo "by $id" >"$id.txt"; git add -A; git commit -qm "work of $id"; }
claim() { sed -i "/{id: $id,/s/status: [a-z-]*/status: complete/" ${PLAN}; }
`;

/** What counts at the end: each task is on the base once, says so in the plan there, and has left no branch. */
export function resultOf({ remote }: FleetStage): {
  readonly merged: readonly string[];
  readonly work: readonly string[];
  readonly open: number;
  readonly refs: readonly string[];
} {
  const subjects = (...args: readonly string[]) => remote('log', '--format=%s', ...args, 'main').split('\n');
  return {
    merged: subjects('--first-parent')
      .flatMap((subject) => /^Merge task ([^:]+):/.exec(subject)?.[1] ?? [])
      .sort(),
    work: subjects()
      .flatMap((subject) => /^work of (.+)$/.exec(subject)?.[1] ?? [])
      .sort(),
    open: remote('show', `main:${PLAN}`).match(/status: pending/g)?.length ?? 0,
    refs: remote('for-each-ref', '--format=%(refname)', 'refs/heads').split('\n'),
  };
}

export const doneOnce = (...tasks: readonly string[]) => ({ merged: tasks.toSorted(), work: tasks.toSorted(), open: 0, refs: ['refs/heads/main'] });

/** The journals of all machines whose copy in the store differs from them. `prefix`: one may be shorter, as that of a worker that was killed. */
export async function uncopiedRuns(stage: FleetStage, server: TestServer, machines: readonly number[], prefix = false): Promise<readonly string[]> {
  const rows = await server.ask(stage.url, "select run, string_agg(lines, '' order by at) as lines from ralph.journals group by run");
  const copies = new Map(rows.map(({ run, lines }) => [run, lines as Buffer]));
  return machines.flatMap((machine) =>
    runsOf(stage, machine).filter((run) => {
      const journal = readFileSync(join(stage.git(machine, 'rev-parse', '--absolute-git-dir'), 'ralph', 'runs', run, 'journal.jsonl'));
      const copy = copies.get(run) ?? Buffer.alloc(0);
      return !journal.subarray(0, prefix ? copy.length : undefined).equals(copy);
    }),
  );
}

/** The folders of the runs of a machine. */
export const runsOf = ({ git }: FleetStage, machine: number) => {
  const runs = join(git(machine, 'rev-parse', '--absolute-git-dir'), 'ralph', 'runs');
  return existsSync(runs) ? readdirSync(runs).filter((name) => !name.includes('.lock')) : [];
};
