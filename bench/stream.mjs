// 1 GB of stream-json through the whole pipeline (spooled, parsed, shown) against only reading and JSON-parsing the same lines.
// Each runs in its own process; its peak memory comes from the kernel (VmHWM).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './measure.mjs';

const megabytes = Number(process.argv[2] ?? 1024);
const script = (name) => fileURLToPath(new URL(`./stream/${name}.mjs`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-stream-'));

function measure(name) {
  const ran = spawnSync(process.execPath, [script(name), script('flood'), String(megabytes), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    cwd: folder,
  });
  if (ran.status !== 0) throw new Error(`${name} failed: ${ran.stdout}`);
  return JSON.parse(ran.stdout.trim().split('\n').at(-1));
}

try {
  const results = [0, 1, 2].map(() => ({ bare: measure('bare'), whole: measure('whole') }));
  const speed = (key) => Math.max(...results.map((result) => megabytes / (result[key].ms / 1000)));
  const peak = (key) => Math.max(...results.map((result) => result[key].peakMb));
  report('read and JSON.parse only', `${speed('bare').toFixed(0)} MB/s`, '1.00x', `${peak('bare')} MB peak`);
  report(
    'the whole pipeline',
    `${speed('whole').toFixed(0)} MB/s`,
    `${(speed('whole') / speed('bare')).toFixed(2)}x`,
    `${peak('whole')} MB peak; at least 0.5x, at most 120 MB`,
  );
  const cpuSeconds = Math.min(...results.map(({ whole }) => whole.cpuMs)) / 1000;
  report('the whole pipeline: processor time', `${((cpuSeconds * 1024) / megabytes).toFixed(1)} s/GB`, '', 'at most 6 s/GB, without the agent');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
