import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../test/support/repo.ts';
import { excludeOurFiles } from './git-exclude.ts';

describe("Ralph's own files", () => {
  it("are excluded once, after the operator's patterns, and settings.json stays committable", async () => {
    await using repo = await openRepo();
    const common = join(repo.path, '.git');
    await writeFile(join(common, 'info', 'exclude'), 'mine.txt');
    await excludeOurFiles(common);
    await excludeOurFiles(common);
    const content = await readFile(join(common, 'info', 'exclude'), 'utf8');

    expect(content.startsWith('mine.txt\n')).toBe(true);
    expect(content.match(/^\*\*\/\.ralph\/\*$/gm)).toHaveLength(1);
    for (const name of ['.ralph/lock@1', '.ralph/settings.local.json', '.ralph-active', 'logs/ralph.heartbeat', 'logs/ralph.jsonl', 'logs/task-audit.jsonl'])
      await repo.write(name, 'x');
    await repo.write('.ralph/settings.json', '{}');
    expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .ralph/settings.json');
  });

  it('are excluded even if the info folder is missing', async () => {
    await using repo = await openRepo();
    await rm(join(repo.path, '.git', 'info'), { recursive: true });
    await excludeOurFiles(join(repo.path, '.git'));
    await repo.write('.ralph/lock@1', 'x');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('do not stop a run if the exclude file cannot be written', async () => {
    await using repo = await openRepo();
    await chmod(join(repo.path, '.git', 'info', 'exclude'), 0o444).catch(() => undefined);
    await expect(excludeOurFiles(join(repo.path, '.git'))).resolves.toBeUndefined();
  });

  it('are excluded in subfolders of the repository too', async () => {
    await using repo = await openRepo();
    await excludeOurFiles(join(repo.path, '.git'));
    await repo.write('a/b/.ralph/lock@1', 'x');
    await repo.write('a/b/.ralph/settings.json', '{}');
    expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('?? a/b/.ralph/settings.json');
  });
});
