import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openFileRegisters } from '../../src/adapters/registers-files.ts';
import { honoursTheRegistersContract } from './registers.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

honoursTheRegistersContract('registers in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'registers-'));
  folders.push(folder);
  return async () => openFileRegisters(folder);
});
