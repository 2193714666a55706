import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { memoryRepo } from '../support/memory-repo.ts';
import { openedGit } from '../support/opened-git.ts';
import { openRepo } from '../support/repo.ts';
import { keepsTheHistoryContract } from './git-history.ts';

const NAMES = ['src/a.txt', 'tests/a.txt', 'tests/deep/b.txt'];
const readIn = async (folder: string, path: string) => await readFile(join(folder, path), 'utf8').catch(() => null);

describe('the history of a repository in memory', () => {
  keepsTheHistoryContract(async () => {
    const repo = memoryRepo(Object.fromEntries(NAMES.map((name) => [name, `${name}\n`])));
    return {
      history: repo.history,
      look: () => repo.git.tree() as Promise<string>,
      read: async (path) => repo.files.get(path) ?? null,
      write: async (path, text) => void repo.files.set(path, text),
      remove: async (path) => void repo.files.delete(path),
      commit: async () => repo.commitByHand(),
      show: async (name, path) => repo.show(name, path),
      readIn: async (folder, path) => repo.readIn(folder, path),
      [Symbol.asyncDispose]: async () => undefined,
    };
  });
});

describe('the history of a repository of git', () => {
  keepsTheHistoryContract(async () => {
    const repo = await openRepo(Object.fromEntries(NAMES.map((name) => [name, `${name}\n`])));
    const git = await openedGit(repo.path);
    return {
      history: git.history,
      readIn,
      read: (path) => readIn(repo.path, path),
      write: async (path, text) => void (await repo.write(path, text)),
      remove: (path) => rm(join(repo.path, path), { recursive: true }),
      async look() {
        return (await git.look())?.tree ?? '';
      },
      async commit() {
        repo.git('add', '-A');
        repo.git('commit', '-q', '--allow-empty', '-m', 'by hand');
        return repo.git('rev-parse', 'HEAD');
      },
      async show(name, path) {
        try {
          return `${repo.git('show', `${name}:${path}`)}\n`;
        } catch {
          return null;
        }
      },
      [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
    };
  });
});
