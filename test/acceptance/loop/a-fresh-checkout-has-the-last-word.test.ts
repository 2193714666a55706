import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, finishes, honest, openLoopStage, receiptOf, tries } from '../../support/loop-stage.ts';
import { iterationsOf } from '../../support/stage.ts';

const files = { '.gitignore': 'stray*\n', 'src/work.txt': 'open\n' };
const gate = 'cat stray.txt work.txt 2>/dev/null | grep -q done || { echo "nothing is done in $PWD"; exit 1; }';
const cheats = finishes('echo done > stray.txt');
const worktrees = (text: string) => text.split('\n').filter((line) => line.startsWith('worktree ')).length;

describe.concurrent('work that is only in ignored files', () => {
  it('is accepted without --verify', async () => {
    await using stage = await openLoopStage([cheats], { files, gate });
    const run = await stage.loop();
    expect(run).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
    expect(receiptOf(run)).toMatchObject({ where: 'clean', proof: { level: 'green' } });
  });

  it('is red with --verify clean, and the next agent is told where', async () => {
    await using stage = await openLoopStage([cheats, honest], { files, gate });
    const run = await stage.loop('--verify', 'clean');

    expect(run).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.prompts()[1]).toContain('In a fresh checkout, without untracked and ignored files, this is red:\nnothing is done in ');
    expect(receiptOf(run)).toMatchObject({ where: 'clean', checks: [{ command: gate, exit_code: 0, was_red: true }] });
    expect(run.stderr).toMatch(/Clean verification/);
    expect(worktrees(stage.repo.git('worktree', 'list', '--porcelain'))).toBe(1);
  });
});

describe.concurrent('an agent that breaks the repository', () => {
  it('cannot avoid the fresh checkout: echo junk > .git/index', async () => {
    await using stage = await openLoopStage([finishes('echo done > stray.txt', 'echo junk > .git/index')], { files, gate });
    const run = await stage.loop('--verify', 'clean', '--max-iterations', '2');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, receipt: null } });
    expect(iterationsOf(run)).toEqual(['red', 'red']);
    expect(stage.prompts()[1]).toContain('git cannot name the working copy, so nothing is proven: ');
  });

  it.for(['git config core.bare true', 'git config core.repositoryformatversion 99'])('is not believed, in place: %s', async (trick) => {
    await using stage = await openLoopStage([finishes('echo done > stray.txt', trick)], { files, gate });
    const run = await stage.loop('--verify', 'clean', '--max-iterations', '2');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, receipt: null } });
    expect(iterationsOf(run)).toEqual(['red', 'red']);
  });

  it('breaks only its own copy and cannot avoid the protected paths', async () => {
    await using stage = await openLoopStage([finishes('echo true > check.sh', 'git config core.bare true'), honest]);
    const run = await stage.loop('--protect', 'check.sh', '--workspace=copy');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after().changed).toEqual(['?? work.txt']);
  });
});

describe.concurrent('a fresh checkout', () => {
  it('is made only after a claim with green checks', async () => {
    await using stage = await openLoopStage([tries('echo done > work.txt'), finishes('rm work.txt'), honest]);
    const run = await stage.loop('--verify', 'clean');
    expect(iterationsOf(run)).toEqual(['green', 'red', 'green']);
    expect(eventsOf(run, 'gates.judged').map(({ iteration, where }) => `${iteration} ${where}`)).toEqual([
      '0 start',
      '1 workspace',
      '2 workspace',
      '3 workspace',
      '3 clean',
    ]);
  });

  it('contains untracked files, for checks that ask git, and checks run in the same subfolder', async () => {
    const check = 'git rev-parse --show-prefix | grep -qx sub/ && git status --porcelain && grep -q done ../work.txt';
    await using stage = await openLoopStage([finishes('echo done > ../work.txt')], { files: { 'sub/a.txt': 'a\n' }, where: 'sub', gate: check });
    const run = await stage.loop('--verify', 'clean');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(receiptOf(run)).toMatchObject({ where: 'clean', commit: null });
  });

  it('is removed after a check in it has timed out', async () => {
    const check = 'grep -q done work.txt && case $PWD in *ralph-checkout-*) pwd > "$HOME/where"; sleep 600;; esac';
    await using stage = await openLoopStage([honest], { gate: check });
    const run = await stage.loop('--verify', 'clean', '--check-timeout', '1s', '--max-iterations', '1');
    expect(run).toMatchObject({ code: 1, result: { done: false, stop_reason: 'max_iterations' } });
    const where = readFileSync(join(stage.repo.beside, 'where'), 'utf8').trim();
    expect(where).toContain('ralph-checkout-');
    expect(existsSync(where)).toBe(false);
    expect(worktrees(stage.repo.git('worktree', 'list', '--porcelain'))).toBe(1);
    expect(stage.after().processes).toEqual([]);
  });
});
