// The cost of one iteration without the agent: the same instant agent in a bare shell loop and in ralph, in the same repository.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, interleaved, median, report } from './measure.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const FEW = 5;
const MANY = 45;

const folder = mkdtempSync(join(tmpdir(), 'bench-iteration-'));
const repo = join(folder, 'repo');
mkdirSync(repo);
const agent = join(folder, 'agent');
writeFileSync(agent, '#!/bin/sh\ncat >/dev/null\necho working\n');
chmodSync(agent, 0o755);
const sh = (command) => spawnSync('sh', ['-c', command], { cwd: repo, stdio: 'ignore' });
sh('git init -q . && echo x > a && git add -A && git -c user.name=b -c user.email=b@example.com commit -qm start');

const ralph =
  (iterations, ...more) =>
  () =>
    void spawnSync(process.execPath, [CLI, 'run', '-p', 'work', '--agent', agent, '-m', String(iterations), '-q', ...more], { cwd: repo, stdio: 'ignore' });
const shell =
  (iterations, gate = '') =>
  () =>
    void sh(`i=0; while [ $i -lt ${iterations} ]; do echo work | ${agent} >/dev/null; ${gate} i=$((i+1)); done`);

const runs = {
  'shell few': shell(FEW),
  'shell many': shell(MANY),
  'ralph few': ralph(FEW),
  'ralph many': ralph(MANY),
  'shell few, gate': shell(FEW, 'sh -c "exit 1" || true;'),
  'shell many, gate': shell(MANY, 'sh -c "exit 1" || true;'),
  'ralph few, gate': ralph(FEW, '--guardrail', 'exit 1'),
  'ralph many, gate': ralph(MANY, '--guardrail', 'exit 1'),
};

// An iteration that commits: its agent writes a file, the gate is green, and nobody is done. Ralph runs it without a sandbox, as the shell does.
const writer = join(folder, 'writer');
writeFileSync(writer, '#!/bin/sh\ncat >/dev/null\necho x >> work.txt\necho working\n');
chmodSync(writer, 0o755);
const COMMITS = { scm: { command: 'git', tasks: ['commit -m work'] } };
const author = { GIT_AUTHOR_NAME: 'b', GIT_AUTHOR_EMAIL: 'b@example.com', GIT_COMMITTER_NAME: 'b', GIT_COMMITTER_EMAIL: 'b@example.com' };
const committing = join(folder, 'committing');
mkdirSync(join(committing, '.ralph'), { recursive: true });
writeFileSync(join(committing, '.ralph/settings.json'), JSON.stringify(COMMITS));
for (let n = 0; n < 2_000; n += 1) {
  if (n % 100 === 0) mkdirSync(join(committing, `d${n / 100}`));
  writeFileSync(join(committing, `d${Math.floor(n / 100)}`, `f${n}`), `${n}\n`);
}
const there = { cwd: committing, stdio: 'ignore', env: { ...process.env, ...author } };
spawnSync('sh', ['-c', 'git init -q . && git add -A && git commit -qm start'], there);
const commitsOf = () => Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { ...there, stdio: 'pipe', encoding: 'utf8' }).stdout);
const allCommitted = (iterations, work) => () => {
  const before = commitsOf();
  work();
  const made = commitsOf() - before;
  if (made !== iterations) throw new Error(`${made} commits in ${iterations} iterations`);
};
for (const [size, iterations] of [
  ['few', FEW],
  ['many', MANY],
]) {
  const line = `i=0; while [ $i -lt ${iterations} ]; do echo work | ${writer} >/dev/null; sh -c true && git add -A && git commit -qm work; i=$((i+1)); done`;
  const words = [CLI, 'run', '-p', 'work', '--agent', writer, '-m', String(iterations), '-q', '--no-sandbox', '--guardrail', 'true'];
  runs[`shell ${size}, commit`] = allCommitted(iterations, () => spawnSync('sh', ['-c', line], there));
  runs[`ralph ${size}, commit`] = allCommitted(iterations, () => spawnSync(process.execPath, words, there));
}
const times = interleaved(Object.keys(runs), ROUNDS, (name) => runs[name]());
rmSync(folder, { recursive: true, force: true });

// The difference between a long and a short run excludes the start-up.
const perIteration = (kind, gate = '') => (median(times[`${kind} many${gate}`]) - median(times[`${kind} few${gate}`])) / (MANY - FEW);
for (const [name, gate] of [
  ['no gate', ''],
  ['one red gate', ', gate'],
]) {
  const bare = perIteration('shell', gate);
  const ours = perIteration('ralph', gate);
  report(`one iteration, ${name}: bare shell loop`, `${bare.toFixed(1)} ms`, '', '');
  report(`one iteration, ${name}: ralph`, `${ours.toFixed(1)} ms`, `+${(ours - bare).toFixed(1)} ms`, 'at most +30 ms');
}
const [bare, ours] = [perIteration('shell', ', commit'), perIteration('ralph', ', commit')];
report('one iteration, gate and commit: bare shell loop', `${bare.toFixed(1)} ms`, '', '2,000 files');
report('one iteration, gate and commit: ralph', `${ours.toFixed(1)} ms`, `${(ours / bare).toFixed(1)}x`, 'at most 4x, without a sandbox');
