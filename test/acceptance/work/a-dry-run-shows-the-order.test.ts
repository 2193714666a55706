import { describe, expect, it, vi } from 'vitest';
import { openWorkStage, PLAN, WORKS } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

describe.concurrent('ralph work --dry-run', () => {
  it('shows the order of the tasks and the first prompt, and changes nothing', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], WORKS, { edges: [['C', 'A']] });
    const before = stage.repo.git('for-each-ref');
    const args = ['work', '--agent', 'sh agent.sh', '--check', 'true', '--workers', '2', '--dry-run'];
    const run = await stage.ralph(...args);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    const [plan, ...lines] = run.stdout.split('\n');
    expect(plan).toBe(`Plan: ${PLAN}, 3 tasks in this order, 2 at a time`);
    expect(lines.slice(0, 5)).toEqual([
      '  1. B  Title of B',
      '  2. C  Title of C',
      '  3. A  Title of A',
      'Command: sh agent.sh',
      'Directory: a worktree of its own, on the branch ralph/B.1',
    ]);
    const { first, tasks } = JSON.parse((await stage.ralph(...args, '--json')).stdout);
    expect(tasks.map(({ task }: { readonly task: string }) => task)).toEqual(['B', 'C', 'A']);
    expect(stage.calls()).toEqual([]);
    expect(stage.journal()).toEqual([]);
    expect(stage.repo.git('for-each-ref')).toBe(before);
    expect(stage.repo.git('status', '--porcelain', '--ignored')).toBe('');
    await stage.work('--check', 'true');
    expect(stage.prompts('B')[0]?.trim()).toBe(first.prompt.trim());
  });

  it('refuses what the run would refuse, and says why nothing is ready', async () => {
    await using stage = await openWorkStage(['A'], WORKS);
    const args = ['work', '--agent', 'sh', '--dry-run'];
    await stage.ralph('task', 'claim', 'A');
    const none = await stage.ralph(...args);
    expect(none, none.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Plan: task-graph.yaml, no task is ready\nNot in this run: .*A/) });
    await stage.repo.write('new.txt', 'x');
    expect(await stage.ralph(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('new.txt') });
  });
});
