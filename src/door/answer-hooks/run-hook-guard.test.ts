import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HookStage, openHookStage, silence } from '../../../test/support/hook-stage.ts';
import { SEED_MARKER } from '../../../test/support/plugin-stage.ts';
import type { Repo } from '../../../test/support/repo.ts';

let stage: HookStage;
let repo: Repo;
beforeEach(async () => {
  stage = await openHookStage();
  ({ repo } = stage);
});
afterEach(() => stage[Symbol.asyncDispose]());

const call: HookStage['call'] = (...args) => stage.call(...args);

describe('the guard hook', () => {
  const write = (file_path: string, more: object = {}) => call('guard', { tool_name: 'Write', tool_input: { file_path, content: 'x' }, ...more });
  const run = (command: string) => call('guard', { tool_name: 'Bash', tool_input: { command } });
  const denied = (why: string) => ({
    code: 0,
    answer: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining(why) } },
  });

  it('allows ordinary work when no loop is running', async () => {
    await rm(join(repo.path, '.ralph-active'));
    expect(await call('guard', { tool_name: 'Write', tool_input: { file_path: 'ralph/prd.md' } })).toEqual(silence);
    expect(await run('npm test && rm -rf dist')).toEqual(silence);
  });

  it.each([true, false])('denies dangerous commands, with or without stories: %s', async (isMarked) => {
    if (!isMarked) await rm(join(repo.path, '.ralph-active'));
    expect(await run('true; rm -rf /')).toMatchObject(denied('not inside the project'));
    expect(await write('.git/hooks/pre-commit')).toMatchObject(denied(''));
    expect(await call('guard', { tool_name: 'Read', tool_input: { file_path: '~/.ssh/id_rsa' } }, { HOME: '/home/u' })).toMatchObject(denied('secrets'));
  });

  it('allows a questionable command with a warning', async () => {
    expect(await run('npx cowsay')).toMatchObject({ code: 0, answer: { systemMessage: expect.stringContaining('downloads what is not installed') } });
  });

  it('reads a script before it runs', async () => {
    await repo.write('innocent.sh', 'echo hello\nrm -rf ~\n');
    expect(await run('bash innocent.sh')).toMatchObject(denied('not inside the project'));
    await repo.write('innocent.sh', 'echo hello\n');
    expect(await run('bash innocent.sh')).toEqual(silence);
  });

  it("uses the project's lists, and only the rules if the lists cannot be read", async () => {
    await repo.write('.ralph/settings.json', JSON.stringify({ guard: { allow: ['git reset --hard'], deny: ['make deploy'], warn: ['make'] } }));
    await repo.write('ralph/allowed-commands.txt', '# ours\nsudo systemctl restart\n');
    expect(await run('git reset --hard')).toEqual(silence);
    expect(await run('git reset --hard; git push -f')).toMatchObject(denied('overwrites'));
    expect(await run('sudo ls')).toMatchObject(denied('root'));
    expect(await run('make deploy')).toMatchObject(denied('operator'));
    expect(await run('make test')).toMatchObject({ answer: { systemMessage: expect.anything() } });
    await repo.write('.ralph/settings.json', '{');
    expect(await run('git reset --hard')).toMatchObject(denied('for good'));
    expect(await run('make deploy')).toEqual(silence);
  });

  it('denies writing to protected files, under any of their names', async () => {
    await symlink('ralph', join(repo.path, 'r'));
    await symlink('ralph/prd.md', join(repo.path, 'innocent.md'));
    for (const path of ['ralph/prd.md', join(repo.path, 'ralph/prd.md'), 'src/../ralph/./prd.md', 'r/prd.md', 'innocent.md'])
      expect(await write(path)).toMatchObject(denied('read-only'));
    expect(await write('../ralph/prd.md', { cwd: join(repo.path, 'src') })).toMatchObject(denied('read-only'));
    expect(await write('.git/ralph/runs/x/journal.jsonl')).toMatchObject(denied('belongs to Ralph'));
    expect(await write(stage.hook)).toMatchObject(denied('belongs to Ralph'));
  });

  it('allows ordinary work while stories are worked on', async () => {
    for (const path of ['src/a.ts', 'src/new/b.ts', 'ralph/tasks.json', 'ralph/progress.txt']) expect(await write(path)).toEqual(silence);
    expect(await call('guard', { tool_name: 'Bash', tool_input: { command: 'git commit -m x' } })).toEqual(silence);
  });

  it('lets a reviewer write nothing', async () => {
    await repo.write('.ralph-active', JSON.stringify({ ...SEED_MARKER, iterationMode: 'review' }));
    for (const path of ['src/a.ts', 'ralph/tasks.json']) expect(await write(path)).toMatchObject(denied('This is a review'));
  });

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['more than can be read', `{"tool_name":"Write","tool_input":{"content":"${'x'.repeat(9_000_000)}"}}`],
    ['a write to nowhere', { tool_name: 'Write', tool_input: {} }],
    ['a path that is none', { tool_name: 'Write', tool_input: { file_path: 7 } }],
    ['a path that no system takes', { tool_name: 'Write', tool_input: { file_path: `/${'x'.repeat(5_000)}/\u0000` } }],
  ])('denies input that it cannot judge: %s', async (_what, input) => {
    expect(await call('guard', input)).toMatchObject(denied(''));
  });
});

it('an unknown hook is named in one line, with exit code 2', async () => {
  expect(await call('stopp', {})).toEqual({
    code: 2,
    answer: null,
    stderr: 'ralph hook: there is no hook "stopp": it is one of stop, context, guard, session-start\n',
  });
});
