import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { run as runRecipe } from './run.ts';

const agentSpec = (command: string) => ({ kind: 'command', command, flags: [], model: null, autonomy: 'full' as const });
const settings = { ...testSettings(), agent: agentSpec('claude'), fallback: [agentSpec('codex'), agentSpec('gemini')] };
const HOUR = 3_600_000;

const stateAfter = (...bodies: readonly EventBody[]) => given(runStarted(settings), opened(1), ...bodies).reduce(evolve, emptyState);
const limited = (attempt: number, agent: string, resetsAtMs: number) => [
  agentBegun(1, attempt),
  ended(1, { attempt, agent, verdict: 'limited', limit_resets_at: resetsAtMs, limit_window: 'five_hour' }),
];
const broken = (attempt: number, agent: string) => [
  agentBegun(1, attempt),
  ended(1, { attempt, agent, verdict: 'fatal', why: 'not logged in', exit_code_if_fatal: 4 }),
];
const next = (nowMs: number, ...bodies: readonly EventBody[]) => decide(runRecipe, { state: stateAfter(...bodies), settings, nowMs });
const asks = (agent: string) => [expect.objectContaining({ kind: 'do', effect: expect.objectContaining({ kind: 'run-agent', agent }) })];

describe('a run with several agents', () => {
  it('asks the first', () => {
    expect(next(10_000)).toEqual(asks('claude'));
  });

  it('goes on with the next that is free while one is limited, and comes back when that is over', () => {
    expect(next(10_000, ...limited(1, 'claude', HOUR))).toEqual(asks('codex'));
    expect(next(HOUR + 5_000, ...limited(1, 'claude', HOUR))).toEqual(asks('claude'));
  });

  it('waits for the soonest when all are limited', () => {
    const all = [...limited(1, 'claude', 3 * HOUR), ...limited(2, 'codex', HOUR), ...limited(3, 'gemini', 2 * HOUR)];
    expect(next(10_000, ...all)).toEqual([{ kind: 'wait', untilMs: HOUR + 1_000 }]);
    expect(next(HOUR + 1_000, ...all)).toEqual(asks('codex'));
  });

  it('goes on without an agent that only a person can help, and ends when no other is left', () => {
    expect(next(10_000, ...broken(1, 'claude'))).toEqual(asks('codex'));
    expect(stateAfter(...broken(1, 'claude')).fatal).toBeNull();
    expect(stateAfter(...broken(1, 'claude'), ...broken(2, 'codex'), ...broken(3, 'gemini')).fatal?.why).toBe('not logged in');
  });

  it('waits for the limited agent that is left when the others cannot work', () => {
    expect(next(20_000, ...broken(1, 'claude'), ...limited(2, 'codex', HOUR), ...broken(3, 'gemini'))).toEqual([{ kind: 'wait', untilMs: HOUR + 1_000 }]);
  });

  it('asks an agent again after a resume: a person may have helped it', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };
    expect(next(20_000, ...broken(1, 'claude'), resumed)).toEqual(asks('claude'));
  });

  it('counts no attempt and no cost for an agent that was not asked, because its limit was known', () => {
    const [begun, end] = limited(1, 'claude', HOUR);
    const known = { ...end, limit_known: true } as EventBody;
    expect(stateAfter(...(begun ? [begun] : []), known).spent.attempts).toBe(0);
  });
});

describe('a day with a cost limit', () => {
  it('ends the run, with the time when it may go on, and is over at midnight', () => {
    const perDay = { ...testSettings(), maxCostPerDay: 5 };
    const day = { date: '2026-11-18', usd: 5.2, ends_at: 2 * HOUR };
    const state = given(runStarted(perDay), opened(1), agentBegun(1), ended(1, { day })).reduce(evolve, emptyState);
    const stop = runRecipe.stops.map((rule) => rule({ state, settings: perDay, nowMs: HOUR })).find((decision) => decision !== null);
    expect(stop?.outcome).toMatchObject({
      stop_reason: 'budget_exhausted',
      exit_code: 1,
      message: 'Cost limit of $5.00 per day reached: the runs of this machine have spent $5.2000 on 2026-11-18. It can go on after midnight, in 1h',
    });
    expect(runRecipe.stops.map((rule) => rule({ state, settings: perDay, nowMs: 2 * HOUR })).find((decision) => decision !== null)).toBeUndefined();
  });
});
