// The cost of a supervisor: its processor time while an agent prints nothing, and its memory over many restarts. Both come from /proc, so Linux only.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, report } from './measure.mjs';

const SILENT_MS = Number(process.env.SILENT_MS ?? 60_000);
const RESTARTS = Number(process.env.RESTARTS ?? 1_000);
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), 'bench-supervise-'));

function supervise(task, ...args) {
  const child = spawn(process.execPath, [CLI, 'supervise', '--quiet', '--project', 'bench', '--task', task, ...args], { cwd: folder, stdio: 'ignore' });
  return { pid: child.pid, ended: new Promise((resolve) => child.once('exit', resolve)), stop: () => child.kill('SIGTERM') };
}

/** User and system time of one process, without its children. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

function residentMb(pid) {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

async function whileSilent() {
  const { pid, ended, stop } = supervise('silent', '--', 'sleep', '3600');
  await sleep(3_000);
  const before = cpuMs(pid);
  await sleep(SILENT_MS);
  const share = ((cpuMs(pid) - before) / SILENT_MS) * 100;
  stop();
  stop();
  await ended;
  report(`a silent agent for ${SILENT_MS / 1000} s`, `${share.toFixed(2)} % CPU`, '', 'less than 0.5 % of a core');
}

async function overRestarts() {
  const { pid, ended } = supervise('restarts', '--restart-delay', '0', '--max-restarts', String(RESTARTS), '--', 'true');
  const samples = [];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const startMs = performance.now();
  while (!isOver) {
    if (existsSync(`/proc/${pid}/status`)) samples.push(residentMb(pid));
    await sleep(250);
  }
  const perRestart = (performance.now() - startMs) / RESTARTS;
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const top = (some) => Math.max(...some);
  const [early, late] = [top(samples.slice(quarter, 2 * quarter)), top(samples.slice(-quarter))];
  report(`${RESTARTS} restarts: memory in the second quarter`, `${early.toFixed(0)} MB`, '', '');
  report(`${RESTARTS} restarts: memory in the last quarter`, `${late.toFixed(0)} MB`, `${(late / early).toFixed(2)}x`, 'flat: about 1x');
  report(`${RESTARTS} restarts: time of each`, `${perRestart.toFixed(1)} ms`, '', '');
}

try {
  await whileSilent();
  await overRestarts();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
