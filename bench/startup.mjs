// The cost of the small commands: user and system time, children included, relative to bare node in the same run. --check fails if a goal is missed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, median, report } from './measure.mjs';

const given = process.argv.indexOf('--rounds');
const ROUNDS = given < 0 ? 25 : Number(process.argv[given + 1]);
const RUNS = 1_000;

const commands = {
  'node -e 0': { argv: ['-e', '0'], goal: null },
  'ralph --version': { argv: [CLI, '--version'], goal: 1.15 },
  'ralph --help': { argv: [CLI, '--help'], goal: 1.3 },
  'ralph run --help': { argv: [CLI, 'run', '--help'], goal: null },
  'ralph status': { argv: [CLI, 'status'], goal: 1.8 },
  [`ralph runs list (${RUNS} runs)`]: { argv: [CLI, 'runs', 'list'], goal: 1.8 },
  'ralph task next': { argv: [CLI, 'task', 'next'], goal: 1.8 },
  'ralph run (agent missing)': { argv: [CLI, 'run', '--agent', 'no-such-agent', '-p', 'x'], goal: 2.5 },
};

/** A folder with a plan and many finished runs. */
function makePlace() {
  const cwd = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  spawnSync('git', ['init', '-q', cwd]);
  writeFileSync(join(cwd, 'task-graph.yaml'), 'nodes:\n  - id: T-1\n    title: One\n  - id: T-2\n    title: Two\n');
  spawnSync(process.execPath, [CLI, 'run', '--agent', 'echo DONE', '-p', 'x', '--quiet'], { cwd, env: { ...process.env, RALPH_SANDBOX: 'guard' } });
  copyRuns(join(cwd, '.git', 'ralph', 'runs'));
  return cwd;
}

function copyRuns(folder) {
  const first = readdirSync(folder).find((name) => /^\d{8}-\d{6}-\w+$/.test(name));
  for (let number = 1; number < RUNS; number += 1) {
    // One per hour, because run ids begin with the time.
    const hour = new Date(Date.UTC(2020, 0, 1, number)).toISOString().slice(0, 13).replaceAll('-', '').replace('T', '-');
    const run = `${hour}0000-${number.toString(16).padStart(6, '0')}`;
    for (const file of ['journal.jsonl', 'run.json']) cpSync(join(folder, first, file), join(folder, run, file));
  }
}

/** Only the parent of a process learns the time of it and its children; bash reports it to the millisecond. */
function cpuMs(argv, cwd) {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>&1';
  const { stderr } = spawnSync('bash', ['-c', script, process.execPath, ...argv], { cwd, encoding: 'utf8' });
  return stderr
    .trim()
    .split(' ')
    .reduce((sum, seconds) => sum + Number(seconds) * 1_000, 0);
}

const cwd = makePlace();
try {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  // In turn, so that a busy machine affects all of them alike.
  for (let round = 0; round < ROUNDS; round += 1) for (const name in commands) times[name].push(cpuMs(commands[name].argv, cwd));
  const base = median(times['node -e 0']);
  const missed = [];
  for (const [name, { goal }] of Object.entries(commands)) {
    const ratio = median(times[name]) / base;
    if (goal !== null && ratio > goal) missed.push(name);
    report(name, `${median(times[name]).toFixed(0)} ms`, `${ratio.toFixed(2)}x`, goal === null ? '' : `at most ${goal}x`);
  }
  if (missed.length > 0) console.log(`missed: ${missed.join(', ')}`);
  if (process.argv.includes('--check') && missed.length > 0) process.exitCode = 1;
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
