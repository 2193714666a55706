import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doneInLife, eventsIn, openSuperviseStage } from '../../support/supervise-stage.ts';

describe.concurrent('a bus that is not a regular file', () => {
  it('is not written through: a symbolic link from before the start', async () => {
    await using stage = await openSuperviseStage(`ralph bus post --type FACT --body gone\necho "post: $?" >"$here/posted"\n${doneInLife(2)}`);
    const precious = join(stage.beside, 'precious');
    await writeFile(precious, 'mine');
    await mkdir(stage.task, { recursive: true });
    await symlink(precious, join(stage.task, 'TASK-MESSAGE-BUS.md'));
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(readFileSync(join(stage.beside, 'posted'), 'utf8')).not.toBe('post: 0\n');
    expect(lstatSync(join(stage.task, 'TASK-MESSAGE-BUS.md')).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['a link', 'ln -s "$here/precious"'],
    ['a link to nothing', 'ln -s "$here/made-through-a-link"'],
    ['a directory', 'mkdir'],
    ['a named pipe', 'mkfifo'],
  ])('does not stop the run: the agent replaces both buses by %s', async (_, make) => {
    const script = `echo mine >"$here/precious"; for bus in "$TASK_FOLDER/TASK-MESSAGE-BUS.md" "$TASK_FOLDER/../PROJECT-MESSAGE-BUS.md"; do rm -f "$bus"; ${make} "$bus"; done`;
    await using stage = await openSuperviseStage(`[ "$life" = 1 ] && { ${script}; exit 1; }\n${doneInLife(2)}`);
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, restarts: 2 } });
    expect(run.ms).toBeLessThan(60_000);
    expect(readFileSync(join(stage.beside, 'precious'), 'utf8')).toBe('mine\n');
    expect(readdirSync(stage.beside)).not.toContain('made-through-a-link');
    // Best effort: a message that could not be posted is recorded and reported.
    expect(eventsIn(stage, 'posted')).toMatchObject([{ msg_id: null, problem: expect.stringMatching(/./) }]);
  });
});
