import { afterAll } from 'vitest';
import { memoryChildren } from '../support/memory-children.ts';
import { standInChildren } from '../support/stand-in-children.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';
import { honoursTheChildrenContract } from './children.ts';

const folders: ThrowAwayFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder[Symbol.asyncDispose]();
});

honoursTheChildrenContract('children in processes', async () => {
  const folder = await openThrowAwayFolder();
  folders.push(folder);
  return standInChildren(folder.path).children;
});

honoursTheChildrenContract('children in memory', async () => memoryChildren());
