import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSuperviseStage } from '../../support/supervise-stage.ts';

const rows: readonly (readonly [problem: string, ...args: string[]])[] = [
  ['is no task id', '--task', '../escape'],
  ['is no task id', '--task', 'a/b'],
  ['is no task id', '--task', ''],
  ['is no task id', '--task', 'Upper'],
  ['is no task id', '--task', 'a\nb'],
  ['has 100 characters at most', '--task', 'a'.repeat(101)],
  ['is no project id', '--project', '../../escape'],
  ['is no project id', '--project', 'UPPER'],
  ['is no task id', '--depends-on', '../evil'],
  ['--max-restarts', '--max-restarts', '-1'],
  ['--restart-delay', '--restart-delay', '-1s'],
  ['--poll-interval', '--poll-interval', '0'],
  ['--wait-timeout', '--wait-timeout', '0'],
  ['--wait-scope', '--wait-scope', 'world'],
  ['--restart-intensity', '--restart-intensity', '5/0'],
  ['--env', '--env', 'NOVALUE'],
  ['RALPH_MARKER', '--env', 'RALPH_MARKER=forged'],
  ['--autonomy', '--autonomy', 'total'],
  ['no directory', '--cwd', 'nowhere'],
  ['both --agent and a command', '--agent', 'claude', '--', 'true'],
  ['prompt', '-p', 'a', '-f', 'b'],
  ['unknown option', '--no-such-flag'],
];

it.concurrent.each(rows)('%s: %s %s', async (problem, ...args) => {
  await using stage = await openSuperviseStage('');
  const run = await stage.supervise(...args);

  expect(run, run.stderr).toMatchObject({ code: 2 });
  expect(run.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
  expect(run.stderr.split('\n')[0]).toContain(problem);
  // Nothing was written before the refusal.
  expect(existsSync(join(stage.path, '.ralph', 'tasks'))).toBe(false);
});

it.concurrent('a task folder that is a symbolic link is refused, and nothing is written through it', async () => {
  await using stage = await openSuperviseStage('');
  const elsewhere = join(stage.beside, 'elsewhere');
  await mkdir(elsewhere);
  await mkdir(stage.project, { recursive: true });
  await symlink(elsewhere, stage.task);
  const run = await stage.supervise();

  expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal' } });
  expect(run.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
  expect(existsSync(join(elsewhere, 'runs'))).toBe(false);
});

it.concurrent.each(['TASK.md', 'TASK-CONFIG.yaml'])('%s that is a link is refused', async (file) => {
  await using stage = await openSuperviseStage('');
  await mkdir(stage.task, { recursive: true });
  await symlink('/etc/hosts', join(stage.task, file));
  const run = await stage.supervise('-p', 'Do the work.');

  expect(run, run.stderr).toMatchObject({ code: 2 });
  expect(run.stderr).toMatch(/^error: [^\n]*symbolic link\nhint: [^\n]+\n$/);
});
