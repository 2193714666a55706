import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CHECK, honest, type LoopStage, openLoopStage, TASK, tries } from '../../support/loop-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const twoIterations = () => openLoopStage([tries('echo half > half.txt'), honest]);
const LOOP = ['loop', TASK, '--agent', 'claude', '--check', CHECK, '--check', 'true'];
const reportAt = ({ repo }: LoopStage, name: string) => readFileSync(join(repo.beside, name), 'utf8');

describe.concurrent('the result of a loop', () => {
  it('is one JSON object with the measured numbers', async () => {
    await using stage = await twoIterations();
    const run = await stage.loop('--model', 'opus');
    expect(run.stdout.trim().split('\n')).toHaveLength(1);
    expect(run.result).toMatchObject({
      ...{ recipe: 'loop', status: 'stopped', stop_reason: 'all_checks_passed', exit_code: 0, done: true, unproven: false, zero_work: false },
      ...{ gates: [CHECK], iterations: 2, maximum_iterations: 25, attempts: 2, commits: 0, last_commit: null, scm_problem: null, worktree: null },
      ...{ baseline: [{ check: CHECK, green: false }], cost_usd: 0.02, cost_estimated: false, cost_untold_attempts: 0, tools: 2, tool_errors: 0 },
      ...{ tokens: { input: 20, output: 10 }, claim: { by: 'tag', text: 'COMPLETE' } },
    });
    expect(run.result?.receipt).toBe(join(run.result?.run_folder ?? '', 'receipt.json'));
  });

  it('is reported as JSON, with the names of the seed', async () => {
    await using stage = await twoIterations();
    const run = await stage.ralph(...LOOP, '--quiet', '--report-file', '../beside/report.json');
    expect(run.code, run.stderr).toBe(0);
    const report = JSON.parse(reportAt(stage, 'report.json'));
    expect(report).toMatchObject({ task: TASK, status: 'success', stop_reason: 'all_checks_passed', total_cost: 0.02, steps: 2, checks: [CHECK, 'true'] });
    expect(report.iterations).toMatchObject([
      {
        iteration: 1,
        steps: 1,
        cost: 0.01,
        all_checks_passed: false,
        completion_tag_found: false,
        check_results: [{ name: CHECK, passed: false }, { passed: true }],
      },
      { iteration: 2, steps: 1, cost: 0.01, all_checks_passed: true, completion_tag_found: true, error: null },
    ]);
    expect(report.files_modified).toEqual(['half.txt', 'work.txt']);
    expect(report.duration_seconds).toBeGreaterThan(0);
  });

  it.for(['markdown', 'github'])('is reported as %s, whole tables and no raw output that could break them', async (format) => {
    await using stage = await openLoopStage([tries('true'), honest], {
      files: { 'check.sh': 'grep -qs done work.txt || { echo "| a | b | <script> \\`\\`\\`"; exit 1; }\n' },
    });
    const run = await stage.ralph(...LOOP, '--quiet', '--report', format, '--report-file', `../beside/report.${format}`);
    expect(run.code, run.stderr).toBe(0);
    const report = reportAt(stage, `report.${format}`);
    expect(report).toMatch(/^#+ /);
    expect(report).toContain(CHECK);
    expect(report).toMatch(/0\.02/);
    for (const table of report.split('\n\n').filter((block) => block.startsWith('|'))) {
      const columns = table.split('\n').map((row) => row.replaceAll('\\|', '').split('|').length);
      expect(new Set(columns).size, table).toBe(1);
    }
  });

  it('is also reported for a failed loop', async () => {
    await using stage = await openLoopStage([tries('true')]);
    const run = await stage.ralph(...LOOP, '--max-iterations', '1', '--quiet', '--report-file', '../beside/report.json');
    expect(run.code).toBe(1);
    expect(JSON.parse(reportAt(stage, 'report.json'))).toMatchObject({ status: 'failed', stop_reason: 'max_iterations', receipt: null });
  });

  it('is all that --quiet prints', async () => {
    await using stage = await twoIterations();
    const run = await stage.ralph(...LOOP, '--quiet');
    expect(run.code).toBe(0);
    const told = run.stdout + run.stderr;
    expect(told).toContain('All checks passed');
    expect(told).not.toMatch(/Check start|iteration 1\/25|Not there yet/);
    expect(told.trim().split('\n').length).toBeLessThan(15);
  });

  it('is empty after --dry-run', async () => {
    await using stage = await twoIterations();
    const run = await stage.ralph(...LOOP, '--dry-run', '--protect', 'check.sh', '--verify', 'clean', '--commit', '--report-file', '../beside/report.json');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain(TASK);
    expect(stage.after()).toEqual({ calls: 0, commits: 1, changed: [], processes: [] });
    expect(() => reportAt(stage, 'report.json')).toThrow('ENOENT');
  });
});
