import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doneInLife, openSuperviseStage, PROJECT, type SuperviseStage, TASK } from '../../support/supervise-stage.ts';

const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_ORG_ID', 'GEMINI_API_KEY', 'PERPLEXITY_API_KEY', 'XAI_API_KEY'];
const OUTSIDE = {
  ...Object.fromEntries(KEYS.map((name) => [name, 'secret'])),
  ...{ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', RALPH_PARENT_RUN_ID: 'somebody', TASK_FOLDER: '/elsewhere' },
  // Without it claude does not run as root.
  IS_SANDBOX: '1',
};
/** Saves its environment. */
const TELLS = `env >"$here/env.$life"\n${doneInLife(2)}`;

function environmentIn(stage: SuperviseStage, life = 1): Readonly<Record<string, string>> {
  const lines = readFileSync(join(stage.beside, `env.${life}`), 'utf8').split('\n');
  return Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe.concurrent('the agent of a supervisor', () => {
  it('gets the same variables in every start, and none of a surrounding session', async () => {
    await using stage = await openSuperviseStage(TELLS, { env: OUTSIDE });
    const run = await stage.supervise('--env', 'MOOD=good = fine', '--env', 'MOOD=better=', '--env', 'EMPTY=');
    const [first, second] = [environmentIn(stage, 1), environmentIn(stage, 2)];
    const folder = run.result?.run_folder ?? '';
    const expected = {
      TASK_FOLDER: stage.task,
      RALPH_PROJECT_ID: PROJECT,
      RALPH_TASK_ID: TASK,
      RALPH_RUN_ID: run.result?.run_id,
      RALPH_RUNS_DIR: join(stage.task, 'runs'),
      RALPH_MESSAGE_BUS: join(stage.task, 'TASK-MESSAGE-BUS.md'),
      RALPH_TASK_FOLDER: stage.task,
      RALPH_RUN_FOLDER: folder,
      MOOD: 'better=',
      EMPTY: '',
    };

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(folder).toBe(join(stage.task, 'runs', run.result?.run_id ?? ''));
    for (const environment of [first, second]) expect(environment).toMatchObject(expected);
    for (const gone of ['RALPH_PARENT_RUN_ID', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT']) expect(first).not.toHaveProperty(gone);
    expect(first['PATH']?.split(':')[0]).toBe(join(folder, 'bin'));
    expect(first['PATH']?.split(':').filter((part) => part === join(folder, 'bin'))).toHaveLength(1);
    // An unknown command may use any vendor.
    for (const key of KEYS) expect(first).toHaveProperty(key, 'secret');
  });

  it.each([
    ['claude', ['ANTHROPIC_API_KEY']],
    ['codex', ['OPENAI_API_KEY', 'OPENAI_ORG_ID']],
    ['gemini', ['GEMINI_API_KEY']],
  ])('%s gets only the keys of its vendor', async (kind, own) => {
    await using stage = await openSuperviseStage('', { env: OUTSIDE });
    const agent = join(stage.beside, 'tool');
    await writeFile(agent, `#!/bin/sh\nenv >'${stage.beside}/env.1'\n: >"$TASK_FOLDER/DONE"\n`, { mode: 0o755 });
    const run = await stage.supervise('--agent', agent, '--agent-kind', kind, '-p', 'Do the work.', '--env', 'XAI_API_KEY=wanted');

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(KEYS.filter((key) => key in environmentIn(stage))).toEqual([...own, 'XAI_API_KEY']);
    expect(environmentIn(stage)['XAI_API_KEY']).toBe('wanted');
  });

  it('works elsewhere with --cwd; its task folder stays where the supervisor was started', async () => {
    await using stage = await openSuperviseStage(`pwd >"$here/pwd"\n${doneInLife(1)}`);
    const run = await stage.supervise('--cwd', stage.beside);

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(stage.beside, 'pwd'), 'utf8').trim()).toBe(stage.beside);
    expect(existsSync(join(stage.task, 'DONE'))).toBe(true);
  });

  it('finds this ralph on its PATH', async () => {
    await using stage = await openSuperviseStage(`ralph --version >"$here/version"\nralph bus post --type FACT --body "I was here"\n${doneInLife(1)}`);
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(stage.beside, 'version'), 'utf8').trim()).toBe((await stage.ralph('--version')).stdout.trim());
    expect(stage.messages()).toContainEqual(expect.objectContaining({ type: 'FACT', body: 'I was here' }));
  });
});
