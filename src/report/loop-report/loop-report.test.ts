import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/given.ts';
import { historyOf } from '../../../test/support/history-of.ts';
import { allPassed, checksRun, loopStarted, plainLoop, pytest, ruff, spentUsd, stopped, tag, twoIterations } from '../../../test/support/loop-journal.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { loopReport as reportOf } from './loop-report.ts';

const loopReport = (events: readonly JournalEvent[], stat: string | null = null) => reportOf(historyOf(events), stat);

describe('the report of a loop that succeeded', () => {
  const receipt = { type: 'receipt.written', key: 'receipt', file: '/runs/r/receipt.json', commit: 'abc' } as const;
  const report = loopReport(
    given(loopStarted(), ...twoIterations, receipt, stopped(allPassed)),
    ' src/auth.py | 4 ++--\n a.png | Bin 0 -> 12 bytes\n 2 files changed\n',
  );

  it('says what the task was and how it ended', () => {
    expect(report).toMatchObject({
      task: 'Add sign-in',
      spec: null,
      agent: 'claude',
      model: 'opus',
      status: 'success',
      stop_reason: 'all_checks_passed',
      steps: 5,
      checks: ['pytest tests/', 'ruff check src/'],
      files_modified: ['src/auth.py', 'a.png'],
      errors: [],
      worktree: null,
      receipt: { file: '/runs/r/receipt.json', commit: 'abc' },
    });
    expect(report.total_cost).toBeCloseTo(0.0423);
    expect(report.duration_seconds).toBe(16);
  });

  it('has every iteration with its checks', () => {
    expect(report.iterations).toHaveLength(2);
    expect(report.iterations[0]).toMatchObject({
      iteration: 1,
      steps: 3,
      cost: 0.02,
      duration: 5,
      all_checks_passed: false,
      completion_tag_found: false,
      error: null,
    });
    expect(report.iterations[0]?.check_results[1]).toEqual({
      name: 'ruff check src/',
      passed: false,
      output: 'src/auth.py:42:1: F841 unused\nFound 1 error.\n',
      flaky: false,
    });
    expect(report.iterations[1]).toMatchObject({ all_checks_passed: true, completion_tag_found: true, clean_check_results: null, restored: [] });
  });

  it('has what was red before the first iteration', () => {
    expect(report.baseline?.map(({ name, passed }) => [name, passed])).toEqual([
      ['pytest tests/', false],
      ['ruff check src/', true],
    ]);
  });
});

describe('the report of a loop with problems', () => {
  it('lists the problems', () => {
    const report = loopReport(
      given(
        loopStarted({ ...plainLoop, spec: { path: 'spec.md', follow: false }, worktree: { path: '/w', branch: 'ralph/r', repository: '/p' } }),
        { type: 'spec.seen', path: 'spec.md', obeyed: false },
        opened(1),
        agentBegun(1),
        ended(1, { verdict: 'failed', why: 'API down' }),
        closed(1, { result: 'failed' }),
        opened(2),
        agentBegun(2),
        ended(2, { claim: tag, spent: spentUsd(0.1) }),
        { type: 'paths.restored', key: 'put-back:2.1', iteration: 2, attempt: 1, paths: ['tests/a.py'], kept: 'refs/k' },
        ...checksRun(2, [[pytest, 0]]),
        ...checksRun(2, [[pytest, 1]], 'clean'),
        { type: 'commit.refused', key: 'c', iteration: 2, reason: 'failed', detail: 'a hook said no', tree: null },
        closed(2, { result: 'red', claim: tag }),
        stopped(notDone('max_iterations', 'Maximum iterations reached.')),
      ),
    );
    expect(report).toMatchObject({
      status: 'failed',
      stop_reason: 'max_iterations',
      spec: 'spec.md',
      total_cost: 0.2,
      cost_is_estimated: true,
      baseline: null,
      files_modified: null,
    });
    expect(report.worktree).toEqual({ path: '/w', branch: 'ralph/r' });
    expect(report.errors).toEqual([
      'Iteration 1: API down',
      'Iteration 2: changes to protected paths were reverted: tests/a.py',
      'spec.md was changed during the run, which kept the version it was started with',
      'Iteration 2: not committed: a hook said no',
    ]);
    expect(report.iterations[0]).toMatchObject({ check_results: [], all_checks_passed: false, error: 'API down', cost: null });
    expect(report.iterations[1]?.clean_check_results).toEqual([{ name: 'pytest tests/', passed: false, output: '', flaky: false }]);
  });

  it('has more iterations than the state keeps', () => {
    const many = Array.from({ length: 14 }, (_, index) => [opened(index + 1), ...checksRun(index + 1, [[ruff, 1]]), closed(index + 1)]).flat();
    expect(loopReport(given(loopStarted(), ...many)).iterations.map(({ iteration }) => iteration)).toEqual(
      many.filter(({ type }) => type === 'iteration.opened').map((_, index) => index + 1),
    );
  });

  it('exists for a run that never ended', () => {
    expect(loopReport(given(loopStarted()))).toMatchObject({ status: 'failed', stop_reason: null, message: null, iterations: [] });
  });

  it('is refused for a run that never started', () => {
    expect(() => loopReport([])).toThrow('never started');
  });
});
