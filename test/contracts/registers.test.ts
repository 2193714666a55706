import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { numberedName } from '../../src/kit/files/numbered.ts';
import { openFileRegisters } from '../../src/store/registers-files.ts';
import { memoryRegisters } from '../support/memory-registers.ts';
import { honoursTheRegistersContract } from './registers.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

honoursTheRegistersContract('registers in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'registers-'));
  folders.push(folder);
  return {
    open: async () => openFileRegisters(folder),
    async spoil(name) {
      const numbers = (await readdir(folder)).filter((entry) => entry.startsWith(numberedName(name, '')));
      await truncate(join(folder, numberedName(name, numbers.length)), 3);
    },
  };
});

honoursTheRegistersContract('registers in memory', async () => {
  const registers = memoryRegisters();
  return { open: async () => registers, spoil: async (name) => registers.spoil(name) };
});
