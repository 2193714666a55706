// The cost of one iteration without the agent: the same instant agent in a bare shell loop and in ralph, in the same repository.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, interleaved, median, report } from './measure.mjs';

const ROUNDS = 7;
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
