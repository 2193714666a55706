import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graphOf, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
beforeEach(async () => {
  stage = await openTaskStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('the next task', () => {
  it('is the ready one with the lowest priority number, then the first in the file', async () => {
    const nodes = [
      { id: 'A', priority: 2 },
      { id: 'B', priority: 1 },
      { id: 'C', priority: 1 },
      { id: 'D', priority: 0 },
    ];
    await stage.place.write('task-graph.yaml', graphOf(nodes, [['A', 'D']]));
    expect(await stage.task('next')).toMatchObject({ code: 0, stdout: 'B  Title of B\n', stderr: '' });
    expect(stage.registers()).toEqual([]);
  });

  it('can be filtered by story, milestone and tags', async () => {
    const nodes = [{ id: 'A' }, { id: 'B', story: 'S-1', tags: ['x'] }, { id: 'C', story: 'S-1', milestone: 'M-1', tags: ['x', 'y'] }];
    await stage.place.write('task-graph.yaml', graphOf(nodes, []));
    const next = async (...args: readonly string[]) => (await stage.task('next', ...args)).stdout.split('  ')[0];
    expect(await next('--story', 'S-1')).toBe('B');
    expect(await next('--milestone', 'M-1')).toBe('C');
    expect(await next('--tag', 'x', '--tag', 'y')).toBe('C');
  });

  it.each([
    ['all-complete', [{ id: 'A', status: 'complete' }], []],
    ['all-blocked', [{ id: 'A', status: 'blocked' }], []],
    ['all-claimed', [{ id: 'A', status: 'in-progress' }], []],
    ['none-match', [{ id: 'A' }], ['--story', 'S-9']],
  ])('is missing, with a reason as JSON: %s', async (reason, nodes, more) => {
    await stage.place.write('task-graph.yaml', graphOf(nodes, []));
    for (const word of ['next', 'prompt']) {
      const run = await stage.task(word, ...more);
      expect(run).toMatchObject({ code: 1, stdout: 'No tasks available. All tasks are either complete, in-progress, or blocked.\n' });
      expect(JSON.parse(run.stderr)).toMatchObject({ reason, counts: { total: more.length === 0 ? 1 : 0 } });
      expect(JSON.parse((await stage.task(word, '--json', ...more)).stdout)).toMatchObject({ task: null, reason });
    }
  });
});

describe('the prompt', () => {
  it('tells an agent its task and how to report completion', async () => {
    const { stdout, stderr } = await stage.task('prompt');
    expect(stdout).toContain('Your task: T-1 - Lay the base\n');
    expect(stdout).toContain('ralph task complete T-1');
    expect(stderr).toBe('');
  });

  it('of a task that cannot start is shown with the reason', async () => {
    const run = await stage.task('prompt', 'T-2');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Your task: T-2'), stderr: 'note: Task T-2 waits for T-1 (ready)\n' });
  });

  it('can come from a custom template, based on the built-in one', async () => {
    const { stdout } = await stage.task('prompt', '--print-template');
    await writeFile(join(stage.place.path, 'mine.md'), `Be careful.\n${stdout}`);
    expect((await stage.task('prompt', '--template', 'mine.md')).stdout).toBe(`Be careful.\n${(await stage.task('prompt')).stdout}`);
  });

  it('works in a deep subfolder', async () => {
    await mkdir(join(stage.place.path, 'a', 'b'), { recursive: true });
    const cwd = join(stage.place.path, 'a', 'b');
    expect((await stage.taskIn({ cwd }, 'prompt')).stdout).toBe((await stage.task('prompt')).stdout);
    expect((await stage.taskIn({ cwd }, 'next', '--plan', '../../task-graph.yaml')).code).toBe(0);
  });
});

describe('the list', () => {
  it('has a row for each task, and totals per state', async () => {
    await stage.taskIn({ env: { RALPH_WORKER: 'anna' } }, 'claim', 'T-1');
    const { stdout } = await stage.task('list');
    const [head, first, second, , empty, sum] = stdout.split('\n');
    expect(head).toMatch(/^TASK +STATE +PRIORITY +HOLDER +SINCE +TITLE$/);
    expect(first).toMatch(/^T-1 +held +1 +anna +\d\d:\d\d:\d\d +Lay the base$/);
    expect(second).toMatch(/^T-2 +waiting +1 +Build on it$/);
    expect([empty, sum]).toEqual(['', '3 tasks: 1 held, 2 waiting']);
    expect((await stage.task('list', '--state', 'held')).stdout).not.toContain('T-2');
  });

  it('marks what passed in a prd.json before Ralph came, since only the plan says so', async () => {
    const stories = [
      { id: 'US-001', title: 'Store the owner', passes: true },
      { id: 'US-002', title: 'Share a note', passes: false },
    ];
    await stage.place.write('prd.json', JSON.stringify({ userStories: stories }));
    const list = async (...args: readonly string[]) => (await stage.task('list', '--plan', 'prd.json', ...args)).stdout;
    const [, first, second] = (await list()).split('\n');
    expect(first).toMatch(/^US-001 +complete .* \(the plan says so\) +Store the owner$/);
    expect(second).toMatch(/^US-002 +ready +\S+ +Share a note$/);
    expect(JSON.parse(await list('--json')).tasks.map((task: { readonly only_by_plan: boolean }) => task.only_by_plan)).toEqual([true, false]);
  });

  it('contains no terminal control characters', async () => {
    await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-1', title: '\u001b[2Jgone\u0007', description: '\u001b]0;x\u0007' }], []));
    for (const args of [['list'], ['show', 'T-1'], ['next'], ['graph']]) expect((await stage.task(...args)).stdout).not.toContain('\u001b');
  });
});

describe('one task', () => {
  it('is shown with all its details', async () => {
    const node = { id: 'T-1', title: 'Lay the base', description: 'First\nsecond', output: 'a.ts, b/', verify: ['npm test'], story: 'S-1' };
    await stage.place.write('task-graph.yaml', graphOf([node, { id: 'T-2' }], [['T-1', 'T-2']]));
    await stage.taskIn({ env: { RALPH_WORKER: 'anna' } }, 'claim', 'T-1');
    const { stdout } = await stage.task('show', 'T-1');
    for (const line of ['T-1: Lay the base', 'Needed by:  T-2', 'Outputs:    a.ts, b/', 'Verify:     npm test', 'Story:      S-1', '  second']) {
      expect(stdout.split('\n')).toContain(line);
    }
    expect(stdout).toMatch(/^State: {6}held by anna since .* \(number 1\)$/m);
  });
});

describe('the graph', () => {
  it('is drawn as text, for Mermaid and as SVG', async () => {
    for (const id of ['T-1', 'T-2', 'T-3']) expect((await stage.task('graph')).stdout).toContain(id);
    expect((await stage.task('graph', '--format', 'mermaid')).stdout).toMatch(/^(graph|flowchart) /m);
    expect((await stage.task('graph', '--format', 'svg')).stdout).toMatch(/^<svg[\s\S]*<\/svg>\n$/);
  });

  it('is written to a file', async () => {
    expect(await stage.task('graph', '--format', 'svg', '-o', '../beside/g.svg')).toMatchObject({ code: 0, stdout: '../beside/g.svg\n' });
    expect(await readFile(join(stage.place.beside, 'g.svg'), 'utf8')).toContain('<svg');
  });
});

it('a valid plan is summarised', async () => {
  expect(await stage.task('check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^task-graph\.yaml: 3 tasks, 2 needs, .*: no problems\n$/) });
});

it('the audit shows the latest changes', async () => {
  await stage.task('claim', 'T-1');
  await stage.task('complete', 'T-1');
  const { stdout } = await stage.task('audit');
  expect(stdout).toMatch(/^\[\d{4}-.*Z\] claimed: T-1 \(pending -> in-progress\)\n\[\d{4}-.*Z\] completed: T-1 \(pending -> complete\)\n$/);
  expect((await stage.task('audit', '-n', '1')).stdout).toMatch(/^\[.*\] completed: T-1 .*\n$/);
});

it('every command prints one JSON object with --json', async () => {
  const commands = [
    ['next'],
    ['prompt'],
    ['prompt', '--print-template'],
    ['prompt', '--current'],
    ['next', '--claim'],
    ['list'],
    ['show', 'T-1'],
    ['graph'],
    ['graph', '-o', '../beside/g.txt'],
    ['check'],
    ['reset', 'T-1'],
    ['claim', 'T-1'],
    ['complete', 'T-1'],
    ['audit'],
  ];
  for (const args of commands) {
    const { stdout } = await stage.task(...args, '--json');
    expect({ args, lines: stdout.trimEnd().split('\n').length, type: typeof JSON.parse(stdout) }).toEqual({ args, lines: 1, type: 'object' });
  }
});

describe('ten thousand tasks', () => {
  it('are handled fast by every command', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `T-${index}`);
    const edges = ids.flatMap((id, index) => [1, 2, 3].filter((back) => index >= back * 7).map((back) => [ids[index - back * 7] ?? '', id] as const));
    await stage.place.write(
      'task-graph.yaml',
      graphOf(
        ids.map((id) => ({ id })),
        edges,
      ),
    );
    expect(await stage.json('next', '--claim')).toMatchObject({ task: { id: 'T-0' } });
    expect(await stage.json('complete', 'T-0')).toMatchObject({ unlocked: ['T-7'] });
    expect(await stage.json('next')).toMatchObject({ task: { id: 'T-1' } });
    expect((await stage.task('list')).stdout).toContain('10000 tasks: 1 complete, ');
    expect((await stage.task('show', 'T-9999')).code).toBe(0);
    expect((await stage.task('show', 'T-99999')).stderr).toContain('Did you mean T-9999?');
    for (const format of ['text', 'mermaid', 'svg']) expect((await stage.task('graph', '--format', format, '-o', `../beside/g.${format}`)).code).toBe(0);
    expect((await stage.task('check')).code).toBe(0);
  });
});

it('a closed output pipe is not an error', () => {
  const cli = new URL('../../../dist/cli/main.js', import.meta.url).pathname;
  const out = execFileSync('sh', ['-c', `"${process.execPath}" "${cli}" task list | head -1`], { cwd: stage.place.path, encoding: 'utf8' });
  expect(out).toMatch(/^TASK /);
});
