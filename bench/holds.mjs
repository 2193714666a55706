// Holding tasks: sixteen processes that race for a thousand tasks, and single claims against a bare write and link(2) on the same disk.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, linkSync, mkdirSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdTask } from '../.cache/inside/src/plans/holds/hold-task.js';
import { openFileRegisters } from '../.cache/inside/src/store/registers-files.js';
import { inTurn } from './in-turn.mjs';
import { median, report } from './measure.mjs';

const RACERS = 16;
const TASKS = 1000;
const CLAIMS = 300;
const CLAIMER = fileURLToPath(new URL('holds/claimer.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-holds-'));
let folders = 0;
const fresh = () => {
  folders += 1;
  const path = join(folder, String(folders));
  mkdirSync(path);
  return path;
};

/** Claims per second, and how many of them were for a task that another process held. */
async function race() {
  const registers = fresh();
  const racers = Array.from({ length: RACERS }, (_, n) => fork(CLAIMER, [registers, `run-${n}`, String(TASKS)]));
  await Promise.all(racers.map((racer) => once(racer, 'message')));
  const startMs = performance.now();
  const taken = await Promise.all(
    racers.map(async (racer) => {
      const told = once(racer, 'message');
      racer.send('go');
      return (await told)[0];
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  for (const racer of racers) racer.kill('SIGKILL');
  const all = taken.flat();
  return { perSecond: all.length / seconds, twice: all.length - new Set(all).size, missing: TASKS - new Set(all).size };
}

const holder = { name: 'bench/1', run: 'bench', lane: 1, process: { host: 'here', boot_id: 'boot', pid: 1, start_time: '1' } };
const record = `${JSON.stringify({ state: 'held', holder, key: 'take:1', at: Date.now(), branch: null, base: null, tries: 0, feedback: '' })}\n`;

/** The necessary minimum: a file with the same bytes, linked under a name that only one process can create. */
function bare(synced) {
  const path = fresh();
  for (let n = 0; n < CLAIMS; n += 1) {
    const temporary = join(path, `${n}.tmp`);
    const fd = openSync(temporary, 'wx');
    writeSync(fd, record);
    if (synced) fsyncSync(fd);
    closeSync(fd);
    linkSync(temporary, join(path, String(n)));
    unlinkSync(temporary);
  }
}

async function claim() {
  const crew = { registers: openFileRegisters(fresh()), livenessOf: () => 'alive' };
  for (let n = 0; n < CLAIMS; n += 1) {
    const { kind } = await holdTask(crew, { planPath: 'task-graph.yaml', task: `T-${n}`, holder, key: 'take:1', nowMs: Date.now() });
    if (kind !== 'held') throw new Error('nobody else is here');
  }
}

try {
  const races = [];
  for (let round = 0; round < 3; round += 1) races.push(await race());
  const perSecond = median(races.map((one) => one.perSecond));
  report('holds: claims a second by 16 racing processes', `${Math.round(perSecond)} /s`, '', 'at least 200 /s');
  const wrong = races.reduce((sum, { twice, missing }) => sum + twice + missing, 0);
  report('holds: tasks claimed twice, or by nobody', String(wrong), '', 'none');

  const took = await inTurn(7, { bare: () => bare(false), synced: () => bare(true), claim });
  const rate = `${Math.round((CLAIMS / took('claim')) * 1000)} /s`;
  report('holds: claims of one process', rate, `${(took('bare') / took('claim')).toFixed(2)}x`, 'at least 0.3x of write and link(2)');
  report('holds: the same, of a baseline that is on the disk', rate, `${(took('synced') / took('claim')).toFixed(2)}x`, 'of write, fsync and link(2)');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
