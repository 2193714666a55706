import { describe, expect, it } from 'vitest';
import { contextAlert } from './context-alert.ts';

const at = (tokens: number, told = 0) => contextAlert({ tokens, window: 200_000, told });

describe('a context alert', () => {
  // The sizes of the seed's own tests, four characters a token.
  it.each([
    [400_001, 50, 'NOTICE'],
    [480_001, 60, 'NOTICE'],
    [560_001, 70, 'WARNING'],
    [640_001, 80, 'WARNING'],
    [720_001, 90, 'CRITICAL'],
  ])('at %i characters is the one for %i percent: %s', (size, threshold, severity) => {
    const alert = at(size / 4);
    expect(alert?.threshold).toBe(threshold);
    expect(alert?.text).toMatch(new RegExp(`^${severity}: Context window is at ~${threshold}% usage \\(crossed ${threshold}% threshold\\)\\. [A-Z]`));
  });

  it.each([0, -5, 60_000, 99_999])('is not given at %i tokens', (tokens) => {
    expect(at(tokens)).toBeNull();
  });

  it('says what to do', () => {
    expect(at(100_000)?.text).toContain('Be mindful of remaining space. Plan to finish your current task within this session.');
    expect(at(140_000)?.text).toContain('Finish your current task and commit soon. Do not start additional tasks.');
    expect(at(180_000)?.text).toContain('Wrap up immediately. Do NOT start new work.');
  });

  it('is given once for each threshold', () => {
    expect(at(100_001, 50)).toBeNull();
    expect(at(119_999, 50)).toBeNull();
    expect(at(120_000, 50)?.threshold).toBe(60);
  });

  it('is not given for a lower threshold after a higher one', () => {
    expect(at(190_000)?.threshold).toBe(90);
    for (const tokens of [100_000, 150_000, 190_000, 500_000]) expect(at(tokens, 90)).toBeNull();
  });

  it('shows at most a hundred percent', () => {
    expect(at(10_000_000)?.text).toContain('at ~100% usage (crossed 90% threshold)');
  });
});
