// The message bus: posts against bare appends of the same bytes in the same run, and the tail of a bus of 1 GB against the start of ralph.
import { spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileBus } from '../.cache/inside/src/people/bus/file-bus.js';
import { inTurn } from './in-turn.mjs';
import { CLI, report } from './measure.mjs';

const POSTS = 10_000;
const GIGABYTE = 1024 ** 3;
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-bus-'));
const at = (name) => join(folder, name);
const message = {
  type: 'PROGRESS',
  project_id: 'demo',
  task_id: 'task-20260101-000000-bench',
  run_id: '20260101-000000-0a1b2c',
  body: 'A line about the work.\n',
};

/** One entry, as in the file. */
async function sample() {
  const bus = openFileBus(at('sample.md'));
  await bus.post(message);
  bus[Symbol.dispose]();
  return readFileSync(at('sample.md'));
}

async function post(fsync, posts) {
  const path = at('posts.md');
  const bus = openFileBus(path, { fsync });
  for (let n = 0; n < posts; n += 1) await bus.post(message);
  bus[Symbol.dispose]();
  return () => rmSync(path);
}

function fillTo(path, bytes, entry) {
  const block = Buffer.concat(Array.from({ length: Math.ceil(2 ** 24 / entry.length) }, () => entry));
  const fd = openSync(path, 'a');
  while (statSync(path).size < bytes) writeSync(fd, block);
  closeSync(fd);
}

try {
  const entry = await sample();
  const append = () => {
    for (let n = 0; n < POSTS; n += 1) appendFileSync(at('bare.md'), entry);
    return () => rmSync(at('bare.md'));
  };
  const posting = await inTurn(7, { append, post: () => post(false, POSTS) });
  const perSecond = (POSTS / posting('post')) * 1000;
  report('bus: posts a second', `${Math.round(perSecond)} /s`, `${(posting('post') / posting('append')).toFixed(2)}x`, 'of bare appends; 20,000 /s');
  const synced = await inTurn(3, { post: () => post(true, 200) });
  report('bus: posts a second that wait for the disk', `${Math.round((200 / synced('post')) * 1000)} /s`, '', '');

  fillTo(at('large.md'), GIGABYTE, entry);
  const ralph = (...args) => spawnSync(process.execPath, [CLI, ...args], { stdio: 'ignore' });
  const reading = await inTurn(15, {
    start: () => void ralph('bus', 'discover', '--bus', at('sample.md')),
    small: () => void ralph('bus', 'read', '--bus', at('sample.md')),
    large: () => void ralph('bus', 'read', '--bus', at('large.md')),
  });
  const over = reading('large') - reading('start');
  report('bus: tail of 1 GB over start-up', `${over.toFixed(1)} ms`, `${(reading('large') / reading('small')).toFixed(2)}x`, 'at most 50 ms; of a small one');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
