import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { PROJECT, secretOf, TASK } from '../../support/hostile-place.ts';
import { type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';

/** A root agent that does this, and is done. What children say is in `log`. */
async function supervised(stage: HostileStage, script: string): Promise<string> {
  await stage.repo.write('root.sh', `exec >log 2>&1\n${script}\n: >"$TASK_FOLDER/DONE"\n`);
  const words = ['supervise', '--project', PROJECT, '--task', TASK, '--json', '--sandbox=os', '--max-restarts', '1', '--restart-delay', '0'];
  const { code, stderr } = await stage.ralph(...words, '--', 'sh', 'root.sh');
  expect(code, stderr).toBe(0);
  return readFileSync(join(stage.repo.path, 'log'), 'utf8');
}

const isThere = (...path: readonly string[]) => existsSync(join(...path));

describe.skipIf(bubblewrapIsMissing())('a child that an agent in the sandbox asks for', () => {
  it('works where its parent may write, and nowhere else', async () => {
    await using stage = await openHostileStage();
    const log = await supervised(
      stage,
      `ralph job --cwd '${stage.sibling}' -- sh -c 'echo x >by-child; echo done'; ralph job -- sh -c 'echo x >by-child; echo done'`,
    );
    expect(log).toContain(`its directory ${stage.sibling} is not writable for an agent in this sandbox`);
    expect([isThere(stage.sibling, 'by-child'), isThere(stage.repo.path, 'by-child')]).toEqual([false, true]);
  });

  it.each([
    ['its command', `-- sh -c 'echo x >"$HOME/by-child"; echo done'`],
    ['its checks', `--check 'echo x >"$HOME/by-child" || true' -- echo done`],
  ])('is in the same sandbox whatever it says: %s', async (_, words) => {
    await using stage = await openHostileStage();
    const log = await supervised(stage, `ralph job --no-sandbox --allow-host example.org ${words}`);
    expect(log).toContain('done: ');
    expect(isThere(stage.home, 'by-child')).toBe(false);
  });

  it('is told nothing that its parent cannot read', async () => {
    await using stage = await openHostileStage();
    const log = await supervised(stage, `ralph job -f '${stage.place.reads['read a key']}' -- sh -c 'cat >stolen; echo done'`);
    expect(log).toContain('prompt file not found');
    expect(isThere(stage.repo.path, 'stolen')).toBe(false);
  });

  it('works in no folder that became a link meanwhile', async () => {
    await using stage = await openHostileStage();
    const swap = `while [ -z "$(ls "$TASK_FOLDER"/runs/*/children 2>/dev/null)" ]; do :; done; mv sub away; ln -s '${stage.sibling}' sub`;
    await supervised(stage, `mkdir sub; (${swap}) & ralph job --cwd "$PWD/sub" -- sh -c 'echo x >by-child; echo done'; wait`);
    expect(isThere(stage.sibling, 'by-child')).toBe(false);
  });
});

/** Each of them gets through today: whoever closes one turns it into a plain test. */
describe.skipIf(bubblewrapIsMissing())('a child that an agent in the sandbox asks for, still to be closed:', () => {
  it('finds no login of another agent, although its program is called like that one', async () => {
    await using stage = await openHostileStage();
    await chmod(await stage.repo.write('fake/codex', `#!/bin/sh\ncat "$HOME/.codex/auth.json" >'${stage.repo.path}/stolen'\n`), 0o755);
    await supervised(stage, 'ralph job -p "Do it." --agent "$PWD/fake/codex"; :');
    expect(readFileSync(join(stage.repo.path, 'stolen'), 'utf8')).not.toContain(secretOf('read the login of another agent'));
  });

  it('cannot write in the repository that a planted .git names', async () => {
    await using stage = await openHostileStage();
    stage.repo.git('init', '-q', stage.sibling);
    const planted = `mkdir sub; echo 'gitdir: ${stage.sibling}/.git' >sub/.git`;
    await supervised(stage, `${planted}; ralph job --cwd "$PWD/sub" -- sh -c 'echo x >"${stage.sibling}/.git/by-child"; echo done'`);
    expect(isThere(stage.sibling, '.git/by-child')).toBe(false);
  });

  it('has no git of the loop run what is in the settings of a repository that an agent made', async () => {
    await using stage = await openHostileStage();
    await stage.repo.write('filter.sh', `echo x >>'${stage.home}/by-filter'; cat\n`);
    const planted = `git init -q sub; git -C sub config filter.e.clean 'sh ${stage.repo.path}/filter.sh'; echo '* filter=e' >sub/.gitattributes; echo x >sub/f`;
    await supervised(stage, `${planted}; ralph job --cwd "$PWD/sub" -- sh -c 'echo y >>f; echo done'`);
    expect(isThere(stage.home, 'by-filter')).toBe(false);
  });

  it('leaves no settings in its task', async () => {
    await using stage = await openHostileStage();
    await supervised(stage, `echo 'depends_on: [never]' >"$TASK_FOLDER/TASK-CONFIG.yaml"`);
    expect(isThere(stage.repo.path, `.ralph/tasks/${PROJECT}/${TASK}/TASK-CONFIG.yaml`)).toBe(false);
  });
});
