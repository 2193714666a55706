import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, ends, limited, turn } from '../support/claude-script.ts';
import { openStage, WORK } from '../support/stage.ts';

const HOUR = 3_600_000;

async function stageWithOther() {
  const stage = await openStage([limited(HOUR), limited(HOUR)]);
  const other = join(stage.repo.beside, 'other');
  await writeFile(other, `#!/bin/sh\ncat > /dev/null\n${WORK}\necho DONE\n`);
  await chmod(other, 0o755);
  return { stage, other };
}

describe('an account that is limited', () => {
  it('hands its work to the next agent, and no later run asks it before its reset', async () => {
    const { stage, other } = await stageWithOther();
    await using _ = stage;
    const around = ['run', '-p', 'Do the work.', '--guardrail', 'sh check.sh', '--no-preflight'];
    const first = await stage.ralph(...around, '--agents', `claude,${other}`);
    expect(first.code).toBe(0);
    expect(first.stderr + first.stdout).toContain('goes on instead of claude');
    const again = await stage.ralph(...around, '--agents', `claude,${other}`);
    expect(again.code).toBe(0);
    expect(again.stderr + again.stdout).toContain('known from an earlier attempt on this machine');
    expect(stage.calls()).toHaveLength(1);

    const alone = await stage.ralph(...around, '--agent', 'claude', '--max-limit-wait', '1m');
    expect([alone.code, stage.calls().length]).toEqual([1, 1]);
    const quota = await stage.ralph('quota', '--json');
    expect(JSON.parse(quota.stdout).windows).toMatchObject([{ account: expect.stringMatching(/^claude/), window: 'five_hour', status: 'rejected', used: 1 }]);
    expect((await stage.ralph('quota', '--forget')).stdout).toContain('Nothing known yet');
    expect(await readdir(join(stage.repo.beside, '.local', 'state', 'ralph'))).toContain('quota@2');
  });
});

describe('a run without progress', () => {
  it('asks the next agent of the list before it gives up, and tells so', async () => {
    const { stage, other } = await stageWithOther();
    await using _ = stage;
    const lazy = join(stage.repo.beside, 'lazy');
    await writeFile(lazy, '#!/bin/sh\ncat > /dev/null\necho Trying.\n');
    await chmod(lazy, 0o755);
    const run = await stage.ralph('run', '-p', 'Do the work.', '--guardrail', 'sh check.sh', '--no-preflight', '--json', '--agents', `${lazy},${other}`);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 6 } });
    expect(run.stderr).toMatch(/^No progress: \S+ works on this one instead of \S+\.$/m);
  });
});

describe('two accounts of one agent', () => {
  const profiles = (beside: string) => ({
    agent: { command: 'claude' },
    agents: { work: { configDir: join(beside, 'work') }, private: { env: { CLAUDE_CONFIG_DIR: join(beside, 'private'), ANTHROPIC_AUTH_TOKEN: '$MY_OTHER' } } },
  });

  it('are listed by their profiles: while the first is limited the second works, with its own folder and key', async () => {
    const tellAccount = bash(`${WORK}; echo "$CLAUDE_CONFIG_DIR $ANTHROPIC_AUTH_TOKEN" > account.txt`);
    await using stage = await openStage([limited(HOUR), turn(tellAccount, ...ends('<response>DONE</response>'))], {
      env: { MY_OTHER: 'sk-of-the-other-account-1234' },
    });
    const { beside, path } = stage.repo;
    for (const name of ['work', 'private']) await mkdir(join(beside, name));
    await writeFile(join(path, '.ralph', 'settings.json'), JSON.stringify(profiles(beside)));
    const run = await stage.ralph('run', '-p', 'Do the work.', '--guardrail', 'sh check.sh', '--no-preflight', '--json', '--agents', 'work,private');
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stderr).toContain('private goes on instead of work');
    expect(await readFile(join(path, 'account.txt'), 'utf8')).toBe(`${join(beside, 'private')} sk-of-the-other-account-1234\n`);
    expect(await readFile(join(run.result?.run_folder ?? '', 'journal.jsonl'), 'utf8')).not.toContain('sk-of-the-other');
    const quota = JSON.parse((await stage.ralph('quota', '--json')).stdout);
    expect(quota.windows).toMatchObject([{ account: expect.stringMatching(/^claude-work-[0-9a-f]{8}$/), status: 'rejected' }]);
  });

  it.each([
    [{ env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789abcdef' } }, 'the key ANTHROPIC_API_KEY must not be in the settings'],
    [{ configDir: 'work' }, 'configDir must be an absolute path, not "work"'],
    [{ command: 'gemini', configDir: '/work' }, 'gemini has no variable for configDir'],
  ])('are refused with %j', async (work, why) => {
    await using stage = await openStage([], { settings: { agent: { command: 'claude' }, agents: { work } } });
    const run = await stage.ralph('run', '-p', 'Do the work.', '--agent', 'work');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`error: ${why}\nhint: `)]);
  });
});
