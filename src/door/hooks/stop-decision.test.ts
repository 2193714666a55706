import { describe, expect, it } from 'vitest';
import { type StopSituation, stopDecision } from './stop-decision.ts';

const clean: StopSituation = { problems: [], dirtyPaths: [], stopHookActive: false, blocksSoFar: 0, limit: 3, folder: 'ralph' };
const problem = "Task list validation failed: Duplicate story ID: 'US-001'";

function reasonOf(change: Partial<StopSituation>): string {
  const decision = stopDecision({ ...clean, ...change });
  if (decision.decision === 'approve') throw new Error('it was approved');
  return decision.reason;
}

describe('an agent that wants to stop', () => {
  it('may stop when everything is in order', () => {
    expect(stopDecision(clean)).toEqual({ decision: 'approve' });
  });

  it('is told what is wrong with the stories, and what to do about it', () => {
    expect(reasonOf({ problems: [problem] })).toBe(`${problem}\nRepair ralph/tasks.json and commit it, then stop.`);
  });

  it('gets the three instructions while something is uncommitted', () => {
    expect(reasonOf({ dirtyPaths: ['a.ts', 'b.ts'] })).toBe(
      [
        'There are uncommitted changes: a.ts, b.ts. Before you stop:',
        '1. Update ralph/progress.txt with what was accomplished and what you have learned.',
        '2. Consider if any lasting patterns belong in CLAUDE.md or .claude/rules/.',
        '3. Commit ALL changes, including progress.txt and tasks.json.',
      ].join('\n'),
    );
  });

  it('is told about both at once', () => {
    expect(reasonOf({ problems: [problem], dirtyPaths: ['a.ts'] }).split('\n')).toEqual([
      problem,
      expect.stringMatching(/^There are uncommitted/),
      ...Array(3).fill(expect.anything()),
    ]);
  });

  it('gets a shortened list of many paths', () => {
    const reason = reasonOf({ problems: Array.from({ length: 500 }, (_, n) => `problem ${n}`), dirtyPaths: Array.from({ length: 5_000 }, (_, n) => `f${n}`) });
    expect(reason).toContain('… and 480 more problems.');
    expect(reason).toContain('f9 and 4990 more. Before you stop:');
    expect(reason.length).toBeLessThan(2_000);
  });
});

describe('an agent that is kept from stopping', () => {
  const bad = { ...clean, problems: [problem] };
  const again = (blocksSoFar: number) => stopDecision({ ...bad, stopHookActive: true, blocksSoFar });

  it('is counted', () => {
    expect(stopDecision(bad)).toMatchObject({ decision: 'block', blocks: 1 });
    expect(again(1)).toMatchObject({ decision: 'block', blocks: 2 });
    expect(again(2)).toMatchObject({ decision: 'block', blocks: 3 });
  });

  it('is let go after the limit, and the reason is recorded', () => {
    expect(again(3)).toMatchObject({ decision: 'let-go', blocks: 3, reason: expect.stringContaining(problem) });
    expect(again(4)).toMatchObject({ decision: 'let-go' });
  });

  it('is counted from one again when it stops of its own accord', () => {
    expect(stopDecision({ ...bad, stopHookActive: false, blocksSoFar: 3 })).toMatchObject({ decision: 'block', blocks: 1 });
  });

  it('is let go at once with a limit of zero', () => {
    expect(stopDecision({ ...bad, limit: 0 })).toMatchObject({ decision: 'let-go', blocks: 0 });
  });
});
