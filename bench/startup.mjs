// How long the small commands take, as ratios against bare node in the same run.
import { spawnSync } from 'node:child_process';
import { CLI, interleaved, median, report } from './measure.mjs';

const commands = {
  'node -e 0': ['-e', '0'],
  'ralph --version': [CLI, '--version'],
  'ralph --help': [CLI, '--help'],
  'ralph run --help': [CLI, 'run', '--help'],
};

const times = interleaved(Object.keys(commands), 40, (name) => void spawnSync(process.execPath, commands[name], { stdio: 'ignore' }));
const base = median(times['node -e 0']);
for (const [name, list] of Object.entries(times))
  report(
    name,
    `${median(list).toFixed(1)} ms`,
    `${(median(list) / base).toFixed(2)}x`,
    name === 'ralph --version' || name === 'ralph --help' ? 'at most 1.3x' : '',
  );
