import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { memoryGit } from '../support/memory-git.ts';
import { memoryRepo } from '../support/memory-repo.ts';
import { openedGit } from '../support/opened-git.ts';
import { openRepo } from '../support/repo.ts';
import { keepsTheGitContract } from './git.ts';

describe('a repository in memory', () => {
  keepsTheGitContract(async () => {
    const git = memoryGit();
    return { git, change: async () => git.change(), commitByHand: async () => git.commitByHand(), logFile: '', [Symbol.asyncDispose]: async () => undefined };
  });
});

describe('a repository in memory that knows its files', () => {
  keepsTheGitContract(async () => {
    const repo = memoryRepo({ 'readme.txt': 'hello\n' });
    const change = async () => void repo.files.set(`new-${repo.files.size}.txt`, 'x');
    const commitByHand = async () => void repo.commitByHand();
    return { git: repo.git, change, commitByHand, logFile: '', [Symbol.asyncDispose]: async () => undefined };
  });
});

describe('a repository of git', () => {
  keepsTheGitContract(async () => {
    const repo = await openRepo();
    repo.git('config', 'user.name', 't');
    repo.git('config', 'user.email', 't@example.com');
    const opened = await openedGit(repo.path);
    const git = opened.guardedBy({ watch: () => undefined, forget: () => undefined, reportLeft: () => undefined });
    let changes = 0;
    return {
      git,
      change: async () => {
        changes += 1;
        await writeFile(join(repo.path, `new-${changes}.txt`), 'x');
      },
      async commitByHand() {
        repo.git('add', '-A');
        repo.git('commit', '-q', '-m', 'by hand');
      },
      logFile: join(repo.beside, 'commit.log'),
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await repo[Symbol.asyncDispose]();
      },
    };
  });
});
