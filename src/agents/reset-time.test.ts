import { describe, expect, it } from 'vitest';
import { limitInText } from './limit-text.ts';
import { resetTimeIn, timeZoneOf } from './reset-time.ts';

const at = (text: string) => Date.parse(text);
const clock = (now: string, timeZone = 'UTC') => ({ nowMs: () => at(now), timeZone });

describe('a local time in a limit message', () => {
  it.each([
    // The text, when it is written, in which zone, and the end of the minute it means.
    ['4:41am (UTC)', '2026-11-15T02:41:58Z', 'Asia/Tokyo', '2026-11-15T04:42:00Z'],
    ['12:05am (UTC)', '2026-11-15T23:00:00Z', 'UTC', '2026-11-16T00:06:00Z'],
    ['12:05pm (UTC)', '2026-11-15T11:00:00Z', 'UTC', '2026-11-15T12:06:00Z'],
    ['3pm (America/New_York)', '2026-11-15T12:00:00Z', 'UTC', '2026-11-15T20:01:00Z'],
    ['4:55 AM', '2026-11-15T02:00:00Z', 'Europe/Berlin', '2026-11-15T03:56:00Z'],
    ['4:55\u202fAM', '2026-11-15T02:00:00Z', 'UTC', '2026-11-15T04:56:00Z'],
    ['Nov 18, 2:41am (UTC)', '2026-11-15T02:41:00Z', 'UTC', '2026-11-18T02:42:00Z'],
    ['Nov 18th, 2026 4:55 AM', '2026-11-15T02:41:00Z', 'UTC', '2026-11-18T04:56:00Z'],
    ['January 2, 2027, 9pm', '2026-12-30T00:00:00Z', 'UTC', '2027-01-02T21:01:00Z'],
    ['Jan 2, 9:00am (UTC)', '2026-12-30T00:00:00Z', 'UTC', '2027-01-02T09:01:00Z'],
    // The night the clocks go back in Berlin: 6 am is already winter time.
    ['6:00am', '2026-10-24T23:30:00Z', 'Europe/Berlin', '2026-10-25T05:01:00Z'],
    // An hour after they went back in New York: four hours behind UTC at midnight, five by then.
    ['3:00am', '2026-11-01T04:30:00Z', 'America/New_York', '2026-11-01T08:01:00Z'],
  ])('is read from %s, written at %s in %s', (text, now, zone, expected) => {
    expect(resetTimeIn(text, clock(now, zone))).toBe(at(expected));
  });

  it('that has just passed does not mean tomorrow', () => {
    expect(resetTimeIn('4:41am (UTC)', clock('2026-11-15T04:43:30Z'))).toBe(at('2026-11-15T04:42:00Z'));
  });

  it("in an unknown zone is read in the agent's zone", () => {
    expect(resetTimeIn('4:41am (Mars/Base)', clock('2026-11-15T02:00:00Z', 'UTC'))).toBe(at('2026-11-15T04:42:00Z'));
  });

  it.each(['later', 'soon (UTC)', '', 'Smarch 3, 4am'])('is not found in %j', (text) => {
    expect(resetTimeIn(text, clock('2026-11-15T02:00:00Z'))).toBeNull();
  });
});

describe('the zone of an agent', () => {
  it('is the one its environment names', () => expect(timeZoneOf({ TZ: 'Asia/Tokyo' })).toBe('Asia/Tokyo'));
  it("is the machine's where the environment names no known one", () => {
    expect(timeZoneOf({ TZ: ':/etc/localtime' })).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(timeZoneOf({})).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});

describe('a limit in the words of the CLI', () => {
  const now = clock('2026-11-15T02:00:00Z');
  const reset = at('2026-11-15T04:42:00Z');

  it.each([
    ["You've hit your session limit · resets 4:41am (UTC)", reset, 'five_hour'],
    ['You’ve hit your weekly limit · resets 4:41am (UTC)', reset, 'seven_day'],
    ["You've hit your Opus limit · resets 4:41am (UTC)", reset, 'seven_day_opus'],
    ["You've reached your Sonnet limit · resets 4:41am (UTC)", reset, 'seven_day_sonnet'],
    ["You've hit your org's monthly spend limit", null, null],
    ["You've hit your limit · resets 4:41am (UTC)", reset, null],
    ["You're out of usage credits", null, null],
    ['Claude AI usage limit reached|1794717718', 1794717718000, null],
    ['5-hour limit reached ∙ resets 4:41am', reset, 'five_hour'],
  ])('%s', (text, resetsAtMs, window) => expect(limitInText(text, now)).toEqual({ resetsAtMs, window }));

  it.each(["The user said: You've hit your session limit", 'Prompt is too long', "You've hit your stride"])('is not in %j', (text) => {
    expect(limitInText(text, now)).toBeNull();
  });
});
