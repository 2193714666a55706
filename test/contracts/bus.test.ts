import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openFileBus } from '../../src/people/bus/file-bus.ts';
import { memoryBus } from '../support/memory-bus.ts';
import { honoursTheBusContract } from './bus.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'));
  folders.push(folder);
  return join(folder, 'TASK-MESSAGE-BUS.md');
}

honoursTheBusContract('a bus in memory', async () => {
  const bus = memoryBus();
  return () => bus;
});

honoursTheBusContract('a bus in a file', async () => {
  const path = await freshPath();
  return () => openFileBus(path);
});

honoursTheBusContract('a bus in a file that is put aside all the time', async () => {
  const path = await freshPath();
  let now = Date.now();
  return () => openFileBus(path, { rotateBytes: 300, nowMs: () => (now += 1000) });
});

honoursTheBusContract('a bus in a file that waits for the disk', async () => {
  const path = await freshPath();
  return () => openFileBus(path, { fsync: true });
});
