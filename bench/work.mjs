// ralph work: eight workers over 64 tasks of a second, and of no time in 2,000 files, against a bare `xargs -P 8` that does the same with git; and the
// next task of a large plan over start-up.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn } from './in-turn.mjs';
import { CLI, median, report } from './measure.mjs';

const WORKERS = 8;
const TASKS = 64;
const ROUNDS = Number(process.env.ROUNDS ?? 3);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-work-')));
const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const names = Array.from({ length: TASKS }, (_, n) => `T-${n + 1}`);

/** Each has its own file, so that nothing conflicts. */
const work = (seconds) => `sleep ${seconds}; echo "done by $RALPH_TASK_ID" > "$RALPH_TASK_ID.txt"; git add -A; git commit -qm "work of $RALPH_TASK_ID"`;
/** Concurrent `git worktree add` calls disturb each other, so this is done one at a time. */
const bare = (seconds) =>
  `export RALPH_TASK_ID=$1; flock ../adding git worktree add -q -b "$1" "../trees/$1" main && cd "../trees/$1" && { ${work(seconds)}; } && cd ../../repo && flock ../merging git merge -q --no-ff --no-edit "$1"`;

let places = 0;
function repository({ seconds, files }) {
  places += 1;
  const repo = join(folder, String(places), 'repo');
  mkdirSync(repo, { recursive: true });
  const git = (...words) => spawnSync('git', words, { cwd: repo, env, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'bench');
  git('config', 'user.email', 'bench@example.com');
  writeFileSync(join(repo, 'task-graph.yaml'), `nodes:\n${names.map((id) => `  - { id: ${id}, title: Do ${id} }`).join('\n')}\n`);
  writeFileSync(join(repo, 'agent.sh'), `#!/bin/sh\ncat > /dev/null; ${work(seconds)}; ralph task complete "$RALPH_TASK_ID"; echo used:; times\n`);
  chmodSync(join(repo, 'agent.sh'), 0o755);
  for (let n = 0; n < files; n += 1) {
    mkdirSync(join(repo, `d${n % 50}`), { recursive: true });
    writeFileSync(join(repo, `d${n % 50}`, `f${n}.txt`), `${n}\n`);
  }
  git('add', '-A');
  git('commit', '-qm', 'start');
  return { repo, merged: () => git('log', '--first-parent', '--merges', '--format=%s', 'main').stdout.split('\n').filter(Boolean).length };
}

async function run(file, args, { cwd, input = '' }) {
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let [said, told] = ['', ''];
  child.stdout.on('data', (bytes) => {
    said += bytes;
  });
  child.stderr.on('data', (bytes) => {
    told += bytes;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${told}`);
  return said;
}

async function allMerged(kind, { file, args, input, look = () => {} }) {
  const { repo, merged } = repository(kind);
  look(await run(file, args, { cwd: repo, input }), repo);
  if (merged() !== TASKS) throw new Error(`${file} has merged ${merged()} of ${TASKS}`);
  return () => rmSync(join(repo, '..'), { recursive: true, force: true });
}

/** Each task needs three earlier ones. */
function largePlan(tasks) {
  const repo = join(folder, `plan-${tasks}`);
  mkdirSync(repo);
  const ids = Array.from({ length: tasks }, (_, n) => n);
  const nodes = ids.map((n) => `  - { id: T-${n}, title: Do ${n}, priority: ${n % 5} }`);
  const edges = ids.slice(3).flatMap((n) => [n - 1, n - 3, n >> 1].map((from) => `  - { from: T-${from}, to: T-${n} }`));
  writeFileSync(join(repo, 'task-graph.yaml'), `nodes:\n${nodes.join('\n')}\nedges:\n${edges.join('\n')}\n`);
  return repo;
}

/** Ralph, in a shell that says what all of it has used. */
const RALPH = ['-c', '"$@"; code=$?; times; exit $code', 'sh', process.execPath, CLI, 'work', '--agent', './agent.sh'];

const SECONDS = /(\d+)m([\d.]+)s/g;
const cpuMsIn = (text) => [...text.matchAll(SECONDS)].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);

/** What the agents of a repository said that they had used: a shell, and what it has waited for. */
function usedByAgents(repo) {
  const runs = join(repo, '.git/ralph/runs');
  const spools = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('agent.jsonl'));
  if (spools.length !== TASKS) throw new Error(`${spools.length} agents have said something`);
  return spools.reduce((sum, name) => sum + cpuMsIn(readFileSync(join(runs, name), 'utf8').split('used:')[1] ?? ''), 0);
}

async function crewAgainstXargs(kind, what, most) {
  const used = [];
  const look = (said, repo) => void used.push((cpuMsIn(said) - usedByAgents(repo)) / TASKS);
  const took = await inTurn(ROUNDS, {
    xargs: () =>
      allMerged(kind, { file: 'xargs', args: ['-P', String(WORKERS), '-I', '{}', 'sh', '-c', bare(kind.seconds), 'bare', '{}'], input: names.join('\n') }),
    ralph: () => allMerged(kind, { file: 'sh', args: [...RALPH, '--workers', String(WORKERS), '--pause', '0', '--quiet'], look }),
  });
  report(`work: bare xargs -P ${WORKERS}, ${TASKS} tasks ${what}`, `${(took('xargs') / 1000).toFixed(1)} s`, '', '');
  report('work: processor time for a task, besides its agent', `${median(used).toFixed(0)} ms`, '', 'at most 150 ms');
  report(`work: ralph work --workers ${WORKERS}`, `${(took('ralph') / 1000).toFixed(1)} s`, `${(took('ralph') / took('xargs')).toFixed(2)}x`, most);
}

async function nextOfLargePlans() {
  const [small, large, huge] = [1, 10_000, 100_000].map(largePlan);
  const next = (cwd) => run(process.execPath, [CLI, 'task', 'next'], { cwd });
  const firstNext = async () => {
    rmSync(join(large, '.ralph'), { recursive: true, force: true });
    await next(large);
  };
  const took = await inTurn(5, { small: () => next(small), first: firstNext, large: () => next(large), huge: () => next(huge) });
  const over = (name) => took(name) - took('small');
  report('task next: 10,000 tasks, first time, over start-up', `${over('first').toFixed(0)} ms`, '', '');
  report('task next: 10,000 tasks over start-up', `${over('large').toFixed(0)} ms`, '', 'at most 250 ms');
  report('task next: 100,000 tasks over start-up', `${over('huge').toFixed(0)} ms`, `${(over('huge') / over('large')).toFixed(1)}x`, 'at most 10x');
}

try {
  await crewAgainstXargs({ seconds: 1, files: 0 }, 'of a second', 'at most 1.5x');
  await crewAgainstXargs({ seconds: 0, files: 2_000 }, 'of no time, 2,000 files', 'at most 2x');
  await nextOfLargePlans();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
