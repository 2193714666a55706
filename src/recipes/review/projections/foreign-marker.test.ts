import { type ChildProcess, spawn } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { foreignMarker } from './foreign-marker.ts';

let folder: ThrowAwayFolder;
let path = '';
let other: ChildProcess;
beforeAll(() => {
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
});
afterAll(() => void other.kill('SIGKILL'));
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  path = join(folder.path, '.ralph-active');
});
afterEach(() => folder[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

async function look(marker: object | string): Promise<unknown> {
  await writeFile(path, typeof marker === 'string' ? marker : JSON.stringify(marker));
  return foreignMarker(path, Date.now());
}

it('a foreign marker belongs to a live process that existed when it was written', async () => {
  const timestamp = at(Date.now());
  expect(await look({ pid: other.pid, timestamp })).toEqual({ pid: other.pid, timestamp });
});

it('a foreign marker belongs to a live process when its start time is unknown', async () => {
  expect(await look({ pid: other.pid })).toEqual({ pid: other.pid, timestamp: null });
  expect(await look({ pid: other.pid, timestamp: 'yesterday' })).toEqual({ pid: other.pid, timestamp: 'yesterday' });
});

it('a foreign marker is stale when a younger process has its pid', async () => {
  expect(await look({ pid: other.pid, timestamp: at(Date.now() - HOUR_MS) })).toBeNull();
});

it.each([
  ['our own', { pid: process.pid, timestamp: at(Date.now()) }],
  ['that of nobody', { pid: 2 ** 22 + 1, timestamp: at(Date.now()) }],
  ['without a process', { timestamp: at(Date.now()) }],
  ['nonsense', '{'],
])('a foreign marker is ignored when it is %s', async (_what, marker) => {
  expect(await look(marker)).toBeNull();
});

it('a foreign marker does not exist without a file, or when it is a link', async () => {
  expect(foreignMarker(path, Date.now())).toBeNull();
  await writeFile(join(folder.path, 'x'), JSON.stringify({ pid: other.pid }));
  await symlink('x', path);
  expect(foreignMarker(path, Date.now())).toBeNull();
});
