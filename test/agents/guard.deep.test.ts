// Deep: the corpus and its own tests cover the guard; here the real claude calls it.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { complete, openEnclosedAgent } from '../support/enclosed-agent.ts';
import { call, run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { openSupervisedAgent } from '../support/supervised-agent.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';
import { openWorkAgent, writes } from '../support/work-agent.ts';

const agents = expectRealAgents();

const REMOVES = 'rm -rf ~/precious';
const PRECIOUS = 'precious/thing.txt';
const DENIED = /Ralph's guard: .*This removes \S+\/precious, which is not inside the project/s;

/** Without a sandbox, claude needs this variable when it runs as root. */
const OPERATOR = { IS_SANDBOX: '1' };

/** For a home that another stage has made. */
async function putPrecious(home: string): Promise<string> {
  const file = join(home, PRECIOUS);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'dear\n');
  return file;
}

describe.skipIf(agents.missing)('the guard of the real claude without a sandbox', () => {
  it('denies destructive commands with a reason, and allows harmless and doubtful ones', async () => {
    await using agent = await openEnclosedAgent(agents, 'claude', {
      scenario: () => [run(REMOVES), run('echo harmless'), run('npx cowsay'), say('<response>DONE</response>')],
      files: { [PRECIOUS]: 'dear\n' },
      env: OPERATOR,
    });
    await writeFile(join(agent.repo.beside, 'bin', 'npx'), '#!/bin/sh\necho "npx runs $1"\n', { mode: 0o755 });
    const ended = await agent.ralph('run', '-p', 'Do it.', '--agent', 'claude', '-m', '1', '--no-sandbox', '--json');

    expect(ended, ended.stderr).toMatchObject({
      code: 0,
      result: { stop_reason: 'completed', tools: 3, tool_errors: 1, sandbox: { mode: 'guard', forced: true } },
    });
    const [removed, harmless, doubtful] = agent.toolResults();
    expect(removed).toMatch(DENIED);
    expect(harmless).toBe('harmless');
    expect(doubtful).toBe('npx runs cowsay');
    expect(existsSync(join(agent.home, PRECIOUS))).toBe(true);
    expect(ended.stderr).toContain("Ralph's guard: ");
  });

  it('checks file access too: secrets are not read, and shell start files are not written', async () => {
    await using agent = await openEnclosedAgent(agents, 'claude', {
      scenario: ({ home }) => [
        call('Read', { file_path: join(home, '.ssh', 'id_x') }),
        call('Write', { file_path: join(home, '.profile'), content: 'evil' }),
        say('<response>DONE</response>'),
      ],
      files: { '.ssh/id_x': 'a private key\n' },
      env: OPERATOR,
    });
    const ended = await agent.ralph('run', '-p', 'Do it.', '--agent', 'claude', '-m', '1', '--no-sandbox', '--json');

    expect(ended, ended.stderr).toMatchObject({ code: 0, result: { tools: 2, tool_errors: 2 } });
    const answers = agent.toolResults();
    expect(answers).toEqual([expect.stringContaining("Ralph's guard: "), expect.stringContaining("Ralph's guard: ")]);
    expect(answers.join('\n')).not.toContain('a private key');
    expect(existsSync(join(agent.home, '.profile'))).toBe(false);
  });

  it('works for a supervised root agent', async () => {
    await using home = await openThrowAwayFolder();
    const precious = await putPrecious(home.path);
    const scenario = [run(REMOVES), run(': >"$TASK_FOLDER/DONE"'), say('Done.')];
    await using root = await openSupervisedAgent(agents, { name: 'claude', scenario, env: { HOME: home.path } });
    const ended = await root.stage.supervise(...root.words, '--no-sandbox', '--max-restarts', '1');

    expect(ended, `${ended.stderr}\n${root.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', tools: 2, tool_errors: 1 } });
    expect(root.toolResults()).toMatch(DENIED);
    expect(existsSync(precious)).toBe(true);
  });

  it('works for agents of ralph work, each in its own worktree', async () => {
    const works = run(`${writes('T-1')} && git add -A && git commit -qm mine && ralph task complete T-1`);
    const parts = { 'T-1': [[run(REMOVES), works, say('Done.')]] };
    await using crew = await openWorkAgent(agents, { name: 'claude', needs: { 'T-1': [] }, parts });
    const precious = await putPrecious(join(crew.repo.beside, 'home'));
    const ended = await crew.work('--no-sandbox');

    expect(ended, `${ended.stderr}\n${crew.toolResults()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', tool_errors: 1 } });
    expect(crew.toolResults()).toMatch(DENIED);
    expect(existsSync(precious)).toBe(true);
    expect(crew.statuses()).toEqual({ 'T-1': 'complete' });
  });
});

describe.skipIf([agents.missing, bubblewrapIsMissing()].includes(true))('the guard of the real claude in a sandbox', () => {
  it('only warns: the command runs and fails by itself, and the model gets the reason', async () => {
    await using agent = await openEnclosedAgent(agents, 'claude', {
      scenario: () => [run(REMOVES), run('echo hello >greeting.txt'), complete],
      files: { [PRECIOUS]: 'dear\n' },
    });
    const loop = await agent.loop('--sandbox=os');

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', tool_errors: 0 } });
    expect(agent.asked()[0]?.transcript).toMatch(DENIED);
    expect(existsSync(join(agent.home, PRECIOUS))).toBe(true);
  });
});
