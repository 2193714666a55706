import { describe, expect, it } from 'vitest';
import { loopChecks } from './requested-loop.ts';

const none = { witnesses: [], noChecks: false };

describe('the checks of a loop', () => {
  it('are those of its settings in their order, then the witnesses, without duplicates', () => {
    expect(loopChecks({ checks: ['make', 'lint', 'make'] }, { ...none, witnesses: ['lint', 'test -f x'] })).toEqual(['make', 'lint', 'test -f x']);
    expect(loopChecks({ checks: [] }, { ...none, witnesses: ['make'] })).toEqual(['make']);
  });

  it('are required, except with --no-checks', () => {
    expect(() => loopChecks({ checks: [] }, none)).toThrow(expect.objectContaining({ code: 'check-missing', exitCode: 2 }));
    expect(loopChecks({ checks: [] }, { ...none, noChecks: true })).toEqual([]);
    expect(loopChecks({ checks: ['make'] }, { ...none, noChecks: true })).toEqual([]);
  });
});
