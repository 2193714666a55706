import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, openSuperviseStage } from '../../support/supervise-stage.ts';

const kinds = [
  ['directory', 'mkdir', 'DONE is a directory'],
  ['symbolic link to a file', 'ln -s /etc/hosts', 'DONE is a symbolic link'],
  ['symbolic link to nothing', 'ln -s nowhere', 'DONE is a symbolic link'],
  ['named pipe', 'mkfifo', 'DONE is a named pipe'],
] as const;

describe.concurrent('DONE that is not a regular file ends the run with exit code 4:', () => {
  it.each([kinds[0], kinds[3]])('a %s that exists before the start', async (_, make, words) => {
    await using stage = await openSuperviseStage('exit 0');
    await mkdir(stage.task, { recursive: true });
    execFileSync('sh', ['-c', `${make} DONE`], { cwd: stage.task });
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', message: words, done: false, restarts: 0 } });
    expect(stage.lives()).toEqual([]);
    expect(bodiesOf(stage.messages(), 'ERROR')).toEqual([`task failed: ${words}`]);
    expect(stage.projectMessages()).toEqual([]);
  });

  it.each(kinds)('a %s that the agent creates', async (_, make, words) => {
    await using stage = await openSuperviseStage(`cd "$TASK_FOLDER"; ${make} DONE`);
    const run = await stage.supervise('--check', 'true');

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', message: words, done: false, restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1']);
    expect(stage.projectMessages()).toEqual([]);
  });

  it('also if the agent goes on running', async () => {
    await using stage = await openSuperviseStage('mkdir "$TASK_FOLDER/DONE"\nexec sleep 600');
    const run = await stage.supervise('--finish-on-done', '200ms');

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', message: 'DONE is a directory' } });
  });

  it('the target of the link is not changed', async () => {
    await using stage = await openSuperviseStage('exit 0');
    await mkdir(stage.task, { recursive: true });
    const precious = join(stage.beside, 'precious');
    await writeFile(precious, 'mine');
    await symlink(precious, join(stage.task, 'DONE'));
    await stage.supervise('--check', 'false');

    expect(existsSync(precious)).toBe(true);
    expect(existsSync(join(stage.task, 'DONE'))).toBe(true);
  });

  it('but a file with another name is ignored', async () => {
    await using stage = await openSuperviseStage('touch "$TASK_FOLDER/done" "$TASK_FOLDER/DONE.txt" "$TASK_FOLDER/DONE.refused-1"');

    expect(await stage.supervise('--max-restarts', '1')).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts' } });
  });
});
