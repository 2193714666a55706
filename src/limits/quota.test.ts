import { describe, expect, it } from 'vitest';
import { fitsUntil, limitIn, noQuota, type Quota, quotaIn, withHeard } from './quota.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const rejected = (window: string, resetsAtMs: number | null) => ({ window, status: 'rejected' as const, used: null, resetsAtMs });
const heard = (...signs: Parameters<typeof withHeard>[2]['signs']) => ({ signs, hasWorked: false, model: null });
const limited = (window = 'five_hour', resetsAtMs: number | null = NOW + HOUR, from: Quota = noQuota) =>
  withHeard(from, 'claude', heard(rejected(window, resetsAtMs)), NOW);

describe('what the runs of a machine know of an account', () => {
  it('is that it is limited until the last of its windows is reset', () => {
    const quota = limited('seven_day', NOW + 30 * HOUR, limited());
    expect(limitIn(quota, 'claude', null, NOW)).toEqual({ window: 'seven_day', untilMs: NOW + 30 * HOUR, seenAtMs: NOW });
    expect(limitIn(quota, 'codex', null, NOW)).toBeNull();
  });

  it('ends with the reset, and as soon as the provider answers again', () => {
    expect(limitIn(limited(), 'claude', null, NOW + HOUR)).toBeNull();
    const answered = withHeard(limited(), 'claude', { signs: [], hasWorked: true, model: null }, NOW + 1);
    expect(limitIn(answered, 'claude', null, NOW + 2)).toBeNull();
  });

  it('keeps nobody from working when nobody knows the reset, or a wrong clock has told it', () => {
    expect(limitIn(limited('usage', null), 'claude', null, NOW)).toBeNull();
    expect(limitIn(limited('usage', NOW + 40 * 24 * HOUR), 'claude', null, NOW)).toBeNull();
    expect(limitIn(limited('usage', NOW + HOUR), 'claude', null, NOW - HOUR)).toBeNull();
  });

  it('is about one family of models where the window is', () => {
    const quota = limited('seven_day_opus');
    expect(limitIn(quota, 'claude', 'claude-sonnet-5', NOW)).toBeNull();
    expect(limitIn(quota, 'claude', 'opus', NOW)).not.toBeNull();
    expect(limitIn(quota, 'claude', null, NOW)).not.toBeNull();
    expect(limitIn(withHeard(quota, 'claude', { signs: [], hasWorked: true, model: 'sonnet' }, NOW + 1), 'claude', 'opus', NOW + 2)).not.toBeNull();
  });

  it('is the used share where the agent tells it, and is forgotten a day after the reset', () => {
    const quota = withHeard(noQuota, 'claude', heard({ window: 'five_hour', status: 'warning', used: 0.91, resetsAtMs: NOW + HOUR }), NOW);
    expect(quota.accounts['claude']?.['five_hour']).toMatchObject({ status: 'warning', used: 0.91, resets_at: NOW + HOUR, seen_at: NOW });
    expect(Object.keys(withHeard(quota, 'codex', heard(rejected('usage', null)), NOW + 26 * HOUR).accounts)).toEqual(['codex']);
  });

  it('is unchanged when an attempt has told nothing', () => {
    const quota = withHeard(noQuota, 'claude', heard({ window: 'five_hour', status: 'allowed', used: null, resetsAtMs: null }), NOW);
    expect(withHeard(quota, 'claude', { signs: [], hasWorked: true, model: null }, NOW + 1)).toBe(quota);
  });

  it.each([undefined, null, 7, {}, { accounts: { claude: { five_hour: { status: 'full' } } } }])('cannot be read from %j', (value) => {
    expect(quotaIn(value)).toBeNull();
  });
});

describe('how long an account lasts at its pace', () => {
  const MINUTE = 60_000;
  const used = (shares: readonly (readonly [minutes: number, used: number])[], resetsAtMs: number | null) =>
    shares.reduce<Quota>((quota, [minutes, share]) => {
      return withHeard(quota, 'claude', heard({ window: 'five_hour', status: 'allowed', used: share, resetsAtMs }), NOW + minutes * MINUTE);
    }, noQuota).accounts['claude']?.['five_hour'];
  const fits = (shares: Parameters<typeof used>[0], resetsAtMs: number | null = NOW + 5 * HOUR) => {
    const window = used(shares, resetsAtMs);
    return window === undefined ? undefined : fitsUntil(window, NOW + (shares.at(-1)?.[0] ?? 0) * MINUTE);
  };

  it('is told when it is used up before its window is reset', () => {
    expect(
      fits([
        [0, 0.2],
        [30, 0.4],
        [60, 0.6],
      ]),
    ).toBe(NOW + 2 * HOUR);
    expect(
      fits(
        [
          [0, 0.2],
          [60, 0.6],
        ],
        NOW + HOUR + 30 * MINUTE,
      ),
    ).toBeNull();
  });

  it('is unknown after one figure, after figures at once, and when nothing more is used', () => {
    expect([
      fits([[0, 0.5]]),
      fits([
        [0, 0.1],
        [1, 0.9],
      ]),
      fits([
        [0, 0.5],
        [30, 0.5],
        [60, 0.5],
      ]),
    ]).toEqual([null, null, null]);
  });

  it('begins anew with the next window, and keeps few figures', () => {
    expect(
      used(
        [
          [0, 0.8],
          [30, 0.1],
        ],
        null,
      )?.burn,
    ).toEqual([{ at: NOW + 30 * MINUTE, used: 0.1 }]);
    expect(
      used(
        [
          [0, 0.5],
          [10, 0.5],
          [20, 0.5],
          [30, 0.5],
        ],
        null,
      )?.burn,
    ).toHaveLength(2);
    expect(
      used(
        Array.from({ length: 200 }, (_, index) => [index, index / 200] as const),
        null,
      )?.burn?.length,
    ).toBeLessThan(50);
  });
});
