import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openedGit } from '../support/opened-git.ts';
import { openRepo } from '../support/repo.ts';
import { keepsTheHistoryContract } from './git-history.ts';

const readIn = async (folder: string, path: string) => await readFile(join(folder, path), 'utf8').catch(() => null);

describe('the history of a repository of git', () => {
  keepsTheHistoryContract(async () => {
    const names = ['src/a.txt', 'tests/a.txt', 'tests/deep/b.txt'];
    const repo = await openRepo(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
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
