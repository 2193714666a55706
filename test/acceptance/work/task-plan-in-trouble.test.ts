import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graphOf, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
beforeEach(async () => {
  stage = await openTaskStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const EVERYTHING = [
  ['next'],
  ['next', '--claim'],
  ['prompt'],
  ['prompt', '--claim'],
  ['claim', 'T-1'],
  ['complete', 'T-1'],
  ['reset', 'T-1'],
  ['list'],
  ['show', 'T-1'],
  ['graph'],
];

describe('a malformed plan', () => {
  it.each(EVERYTHING)('is refused in one line, and nothing is written: %s', async (...args) => {
    await stage.place.write('task-graph.yaml', `${graphOf()}  - {from: T-1, to: [\n`);
    const before = stage.everything();
    const run = await stage.task(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^error: task-graph\.yaml:\d+: .+\nhint: .+\n$/);
    expect(stage.everything()).toBe(before);
  });

  it('is reported by check with every line', async () => {
    await stage.place.write('task-graph.yaml', `${graphOf()}  - {from: T-1, to: [\n`);
    const run = await stage.task('check');
    expect(run).toMatchObject({ code: 2, stderr: '', stdout: expect.stringMatching(/^task-graph\.yaml:\d+: .+\n[\s\S]*\d+ problems?\n$/) });
  });
});

describe('a plan with problems', () => {
  const wrong = graphOf(
    [{ id: 'T-1', status: 'finished' }, { id: 'T-2' }, { id: 'T-3' }],
    [
      ['T-2', 'T-3'],
      ['T-3', 'T-2'],
      ['T-9', 'T-1'],
    ],
  );

  it('is reported with all of them at once, with line numbers', async () => {
    await stage.place.write('task-graph.yaml', wrong);
    const { stdout, code } = await stage.task('check');
    expect(code).toBe(2);
    expect(stdout).toContain('task-graph.yaml:4: ');
    expect(stdout).toMatch(/T-2 → T-3 → T-2|T-3 → T-2 → T-3/);
    expect(stdout).toContain('unknown task "T-9"');
    expect((await stage.json('check'))['problems']).toHaveLength(3);
  });

  it.each([['next', '--claim'], ['prompt'], ['claim', 'T-2'], ['complete', 'T-2', '--force']])('is not worked on: %s', async (...args) => {
    await stage.place.write('task-graph.yaml', wrong);
    const run = await stage.task(...args);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/hint: ralph task check shows this and 2 more\.\n$/) });
    expect(stage.registers()).toEqual([]);
  });

  it('can still be shown', async () => {
    await stage.place.write('task-graph.yaml', wrong);
    expect(await stage.task('list')).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: task-graph\.yaml:\d+: /) });
  });
});

describe('invalid input is refused in one line:', () => {
  it.each([
    ['an unknown id', ['show', 'T-l'], /^error: there is no task "T-l" in task-graph\.yaml\nhint: Did you mean T-1\?\n$/],
    ['an id unlike any other', ['complete', 'nothing-like-it'], /^error: there is no task "nothing-like-it" in .*\nhint: See ralph task list.\n$/],
    ['a missing plan', ['next', '--plan', 'other.yaml'], /^error: .*other\.yaml.*\nhint: .*\n$/],
    ['no subcommand', [], /^error: ralph task needs a subcommand: next, .*\nhint: .*\n$/],
    ['an unknown subcommand', ['nxt'], /^error: unknown command 'task nxt'\nhint: .*\n$/],
    ['an id and a filter', ['prompt', 'T-1', '--story', 'S-1'], /^error: the id of a task and --story, --milestone or --tag cannot be combined\nhint: .*\n$/],
    ['an unknown state', ['list', '--state', 'done'], /^error: --state must be ready or waiting or .*\nhint: .*\n$/],
    ['an unknown format', ['graph', '--format', 'png'], /^error: .*--format.*\nhint: .*\n$/],
    ['a missing template', ['prompt', '--claim', '--template', 'none.md'], /^error: the template cannot be read: none\.md: ENOENT\nhint: .*\n$/],
    ['a file that cannot be written', ['graph', '-o', 'no/such/folder/g.svg'], /^error: cannot write no\/such\/folder\/g\.svg: .*\nhint: .*\n$/],
  ])('%s', async (_what, args, stderr) => {
    const run = await stage.task(...args);
    expect(run.stderr).toMatch(stderr);
    expect([2, 4]).toContain(run.code);
    expect(run.stdout).toBe('');
    expect(stage.registers()).toEqual([]);
  });

  it('a template with an unknown placeholder, before anything is claimed', async () => {
    await writeFile(join(stage.place.beside, 'mine.md'), 'Do {{task.tittle}}.\n');
    const run = await stage.task('prompt', '--claim', '--template', '../beside/mine.md');
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('../beside/mine.md: line 1: there is no placeholder {{task.tittle}}, did you mean {{task.title}}?'),
    });
    expect(stage.registers()).toEqual([]);
  });
});
