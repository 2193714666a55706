import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SuperviseOptions } from '../../../src/index.ts';
import { refusal } from '../../support/played-agent.ts';
import { openRootStage, type RootStage } from '../../support/root-stage.ts';

let stage: RootStage;
beforeEach(async () => {
  stage = await openRootStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

/** As a JavaScript caller could write it. */
const refused = async (options: Record<string, unknown>) => await refusal(stage.supervise(() => undefined, options as Partial<SuperviseOptions>));

const TIME = 'must be longer than 0, in milliseconds or as a text such as "30s"';

describe('invalid options', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ waitTimeout: 0 }, `waitTimeout ${TIME}, got 0`],
    [{ waitTimeout: -1 }, `waitTimeout ${TIME}, got -1`],
    [{ waitTimeout: Number.NaN }, `waitTimeout ${TIME}`],
    [{ waitTimeout: '5' }, `waitTimeout ${TIME}, got "5"`],
    [{ waitTimeout: 'soon' }, `waitTimeout ${TIME}, got "soon"`],
    [{ pollInterval: 0 }, `pollInterval ${TIME}, got 0`],
    [{ pollInterval: 'off' }, `pollInterval ${TIME}, got "off"`],
    [{ restartDelay: -1 }, 'restartDelay must be 0 or longer, in milliseconds or as a text such as "30s", got -1'],
    [{ maxRestarts: -1 }, 'maxRestarts must be non-negative, got -1'],
    [{ maxRestarts: 1.5 }, 'maxRestarts must be an integer, got 1.5'],
    [{ backoff: {} }, 'backoff must be 0 or longer, in milliseconds or as a text such as "30s"'],
    [{ restartIntensity: { failures: 5 } }, 'restartIntensity.within must be longer than 0'],
    [{ waitScope: 'world' }, 'waitScope must be one of task, project, got "world"'],
    [{ projectId: '' }, 'projectId must not be empty'],
    [{ taskId: ' ' }, 'taskId must not be empty'],
    [{ projectId: 'other' }, 'runDir must end with other/task-001, got '],
    [{ taskId: '../evil' }, '"../evil" is no task id'],
    [{ runDir: '' }, 'runDir must not be empty'],
    [{ runDir: '/' }, '"" is no project id'],
    [{ dependsOn: ['task-001'] }, 'task-001'],
    [{ dependsOn: ['../evil'] }, '"../evil" is no task id'],
    [{ messageBus: 'elsewhere.md' }, 'messageBus must be '],
    [{ signal: 'SIGINT' }, 'signal must be an AbortSignal, got string'],
    [{ onEvent: {} }, 'onEvent must be a function, got object'],
    [{ maxRestart: 3 }, 'maxRestart is not a setting; did you mean "maxRestarts"?'],
  ])('%j are refused in one line, and nothing runs', async (options, message) => {
    expect((await refused(options)).message).toContain(message);
    expect(stage.attempts).toEqual([]);
  });

  it('with a runner that is not a function are refused', async () => {
    const { superviseRoot } = await import('../../../src/index.ts');
    const options = { runDir: stage.runDir } as SuperviseOptions;
    expect((await refusal(superviseRoot(options))).message).toBe('runRoot must be a function, got undefined');
  });

  it('leave nothing behind', async () => {
    const root = dirname(stage.path);
    await refused({ waitTimeout: -1 });
    await refused({ runDir: join(root, 'No Project', 'task-001') });
    expect(readdirSync(root, { recursive: true })).toEqual(['work']);
  });
});

describe('options that repeat the defaults', () => {
  it('are accepted', async () => {
    const messageBus = join(stage.runDir, 'TASK-MESSAGE-BUS.md');
    const result = await stage.supervise(() => stage.writeDone(), { projectId: 'demo', taskId: 'task-001', messageBus });
    expect(result).toMatchObject({ done: true, restarts: 1 });
  });
});
