import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { begun, doneTask, failedTask, merged, released, settled } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { MergeProof } from '../../journal/events/work.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import type { NoticeEvent } from '../channels/channel.ts';
import { messageOf, type Notice, noticesOf } from './notices.ts';

/** `<events>: <text>` of every notice. */
function told(settings: Parameters<typeof runStarted>[0], ...bodies: readonly EventBody[]): readonly string[] {
  let state: RunState = emptyState;
  return given(runStarted(settings), ...bodies).flatMap((event) => {
    const before = state;
    state = evolve(state, event);
    return noticesOf(event, before, state).map(({ events, text }) => `${events.join(',')}: ${text}`);
  });
}

const changed = [{ path: 'a.test.ts', why: 'a test' }];
const HELD: MergeProof = {
  verdict: 'held',
  level: 'green',
  tree: 't',
  results: [],
  changed,
  allowed: [],
  allowed_by: null,
  gates: [],
  reason: 'Held: a.test.ts was changed',
};
const stopped = (...outcome: Parameters<typeof notDone>): EventBody => ({ type: 'run.stopped', outcome: notDone(...outcome) });

describe('the notices of a run on a plan', () => {
  const work = workSettings({});

  it('tell which task is proven, failed, in conflict or held', () => {
    expect(told(work, ...doneTask(1, 'T-1'))).toEqual([expect.stringMatching(/^proven: T-1: merged/)]);
    expect(told(work, ...failedTask(1, 'T-1'))).toEqual([expect.stringMatching(/^failed,needs_you: T-1: /)]);
    const words = failedTask(1, 'T-1').map((body) => (body.type === 'attempt.ended' ? { ...body, last_words: 'No key.' } : body));
    expect(told(work, ...words)).toEqual([
      'failed,needs_you: T-1: the agent exited with code 3 (ralph answer --run r --task T-1 "…"). The agent said: "No key."',
    ]);
    const conflict = [...begun(1, 'T-1'), ended(1), settled(1), merged(1, { result: 'conflict', conflicts: ['a'] }), released(1, 'T-1', 'conflict'), closed(1)];
    expect(told(work, ...conflict)).toEqual(['failed,needs_you: T-1: conflict: a (ralph answer --run r --task T-1 "…")']);
    const parked = [...begun(1, 'T-1'), ended(1), settled(1), merged(1, { result: 'held', proof: HELD }), released(1, 'T-1', 'parked'), closed(1)];
    expect(told(work, ...parked)).toEqual(['needs_you: T-1: Held: a.test.ts was changed (ralph accept r --task T-1)']);
  });

  it('tell once that most of the money is spent', () => {
    const costly = workSettings({ budget: { costUsd: 1, timeMs: 0 } });
    const attempt = (usd: number) => ended(1, { spent: { input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd: usd, estimated: false } });
    const lines = told(costly, ...begun(1, 'T-1'), attempt(0.7), attempt(0.2), attempt(0.05));
    expect(lines.filter((line) => line.startsWith('budget'))).toEqual(['budget: $0.90 of $1.00 are spent']);
  });
});

describe('the notices of any run', () => {
  const settings = testSettings();

  it.each<[reason: Parameters<typeof notDone>[0], events: string]>([
    ['completed', 'ended'],
    ['interrupted', 'ended'],
    ['held', 'ended,needs_you'],
    ['stuck', 'ended,needs_you'],
    ['max_iterations', 'ended,needs_you'],
    ['budget_exhausted', 'ended,needs_you,budget'],
    ['rate_limited', 'ended,needs_you,limit'],
  ])('at the end with %s are %s', (reason, events) => {
    expect(told(settings, stopped(reason, 'So it was'))).toEqual([expect.stringMatching(new RegExp(`^${events}: So it was \\(0 iterations`))]);
  });

  it('tell why an agent failed, and until when a usage limit makes the run wait', () => {
    expect(
      told(
        settings,
        opened(1),
        ended(1, { verdict: 'failed', why: 'it crashed', cause: { class: 'passing', kind: 'crash' } }),
        closed(1, { result: 'failed' }),
      ),
    ).toEqual(['failed: Iteration 1: it crashed, cause: passing (crash)']);
    const limited = ended(1, { verdict: 'limited', why: 'usage limit', limit_resets_at: 7_200_000 });
    expect(told(settings, opened(1), limited)).toEqual([expect.stringMatching(/^limit: Usage limit reached: Ralph goes on in 1h59m/)]);
  });

  it('do not repeat a question at the end of the run that waits for it', () => {
    const asks: EventBody = { type: 'question.asked', iteration: 1, story: null, question: { kind: 'question', text: 'Which?' } };
    expect(told(settings, opened(1), asks, stopped('waiting', 'The agent asks: Which?', 3))).toEqual([
      'needs_you: The agent asks: Which? (ralph answer --run r "…")',
      expect.stringMatching(/^ended,needs_you: 1 question \(ralph inbox\) \(1 iteration, /),
    ]);
  });

  it('call nothing proven that no gate has judged', () => {
    expect(told(testSettings({ gates: [] }), opened(1), ended(1), closed(1, { accepted: true }))).toEqual([]);
  });
});

const notice = (seq: number, text: string, ...events: readonly NoticeEvent[]): Notice => ({ seq, atMs: seq * 10, events, text });
const about = { run: 'r', recipe: 'work', project: 'shop', hide: openSecretHider(['hunter2hunter2']) };

describe('a message', () => {
  it('says the end first, then what needs a person, then the rest', () => {
    const end = { ...notice(4, 'Stuck', 'ended', 'needs_you'), outcome: notDone('stuck', 'Stuck') };
    const { lines, events, title, id, atMs } = messageOf([notice(1, 'T1 merged', 'proven'), notice(2, 'T2 failed', 'failed', 'needs_you'), end], about);
    expect(lines).toEqual(['Stuck', 'T2 failed', 'T1 merged', 'ralph runs show r']);
    expect({ title, events, id, atMs }).toEqual({
      ...{ title: 'Ralph (work) in shop has stopped (stuck) and needs you', events: ['needs_you', 'ended', 'proven', 'failed'], id: 'r:4', atMs: 40 },
    });
  });

  it('counts what does not fit', () => {
    const { lines, more } = messageOf(
      Array.from({ length: 100 }, (_, at) => notice(at + 1, `T${at}`, 'failed')),
      about,
    );
    expect({ more, lines: lines.slice(7) }).toEqual({ more: 92, lines: ['T7', 'and 92 more', 'ralph runs show r'] });
  });

  it('has short lines without control characters and without secrets', () => {
    const { lines } = messageOf([notice(1, `a\n\u001b[31mb hunter2hunter2 ${'c'.repeat(1_000_000)}`, 'failed')], about);
    expect(lines[0]).toMatch(/^a .*b \[redacted\] c+…$/);
    expect(lines[0]?.length).toBeLessThan(300);
  });
});
