import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allPassed, loopStarted, stopped, twoIterations } from '../../../test/support/loop-journal.ts';
import { play } from '../../../test/support/play-on-console.ts';
import { openRepo } from '../../../test/support/repo.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

describe('the commands at the end of a loop in a worktree', () => {
  it("do what they say, whatever the operator's later commits and the names of the folders", async () => {
    await using repo = await openRepo();
    const path = join(repo.beside, "it's a worktree");
    const branch = 'ralph/20260115-044055-abc123';
    repo.git('worktree', 'add', '-q', '-b', branch, path);
    await writeFile(join(path, 'result.txt'), 'done\n');
    repo.git('-C', path, 'add', '-A');
    repo.git('-C', path, 'commit', '-q', '-m', 'Ralph iteration 2');
    await repo.write('mine.txt', 'mine\n');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'mine');

    const committed: EventBody = { type: 'commit.made', key: 'c', iteration: 2, commit: 'abc1234', tree: 'tree', message: 'm', left_out: [] };
    const screen = play([loopStarted({ worktree: { path, branch, repository: repo.path } }), ...twoIterations, committed, stopped(allPassed)]);
    const [diff = '', merge = ''] = screen.match(/^ {14}git .*/gm) ?? [];
    const env = { ...process.env, GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@t', GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@t', GIT_EDITOR: 'true' };
    const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: '/', env, encoding: 'utf8' });
    expect(sh(diff)).toContain('+done');
    expect(sh(diff)).not.toContain('mine');
    sh(merge);
    expect(existsSync(join(repo.path, 'result.txt'))).toBe(true);

    const unfinished = play([
      loopStarted({ worktree: { path, branch, repository: repo.path } }),
      stopped({ ...allPassed, stop_reason: 'timeout', exit_code: 1 }),
    ]);
    await writeFile(join(path, 'half.txt'), 'half\n');
    expect(sh((unfinished.match(/^ {14}git .*/gm) ?? []).join('\n'))).toContain('half.txt');
  });
});
