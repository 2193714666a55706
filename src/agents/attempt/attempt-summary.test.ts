import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptVerdict, Ending } from '../../journal/events/attempt.ts';
import type { AgentErrorKind, AgentEvent } from '../../journal/words/agent-event.ts';
import { addEvent, attemptVerdict, startSummary } from './attempt-summary.ts';

const sum = (...events: AgentEvent[]) => events.reduce(addEvent, startSummary());
const message = (text: string, subagent?: string): AgentEvent => ({ type: 'message', text, ...(subagent !== undefined && { subagent }) });
const turn = (ok: boolean, text = ''): AgentEvent => ({ type: 'turn.finished', ok, text, reason: ok ? 'completed' : 'error' });
const error = (kind: AgentErrorKind): AgentEvent => ({ type: 'error', kind, message: kind });
const rejected = (resetsAtMs: number): AgentEvent => ({ type: 'rate_limit', status: 'rejected', resetsAtMs, window: 'five_hour' });
const tool: AgentEvent = { type: 'tool.started', id: 'a', name: 'Bash', input: {} };
const usage = (output: number): AgentEvent => ({ type: 'usage', input: 1, cacheRead: 2, cacheWrite: 3, output, costUsd: 0.5 });

describe('the text of an attempt', () => {
  it("is the agent's last message, in its result or before it", () => {
    expect(sum(message('one'), message('two'), turn(true, 'three')).text).toBe('three');
    expect(sum(message('one'), turn(true)).text).toBe('one');
    expect(sum(message('one'), turn(true, 'two'), message('three')).text).toBe('three');
  });

  it('is not the text of a sub-agent, a blank line, or the error of a failed turn', () => {
    expect(sum(message('mine'), message('its own', 'toolu_1')).text).toBe('mine');
    expect(sum(message('mine'), message(' \n')).text).toBe('mine');
    expect(sum(message('mine'), turn(false, "You've hit your limit")).text).toBe('mine');
  });

  it('keeps the end of a long message', () => {
    const { text } = sum(message(`${'x'.repeat(3_000_000)}DONE`));
    expect(text).toHaveLength(1_000_000);
    expect(text.endsWith('DONE')).toBe(true);
  });
});

describe('an attempt', () => {
  it('counts tools, their failures, retries and unknown lines', () => {
    const failed: AgentEvent = { type: 'tool.finished', id: 'a', ok: false, output: '' };
    const retry: AgentEvent = { type: 'retry', attempt: 1, kind: 'transient' };
    expect(sum(tool, { ...failed, ok: true }, tool, failed, retry, { type: 'raw', line: '?' })).toMatchObject({
      tools: 2,
      toolErrors: 1,
      retries: 1,
      unknownLines: 1,
    });
  });

  it('has the usage it reported last, not a sum', () => {
    expect(sum(usage(10), usage(25)).usage).toEqual({ input: 1, cacheRead: 2, cacheWrite: 3, output: 25, costUsd: 0.5 });
  });

  it('has the session and the model it started with', () => {
    expect(sum({ type: 'session.started', sessionId: 's', model: 'm' })).toMatchObject({ sessionId: 's', model: 'm' });
  });

  it('is empty until the agent says or does something', () => {
    expect(sum(usage(50), turn(true)).empty).toBe(true);
    expect(sum({ type: 'reasoning', text: 'hm' }, turn(true)).empty).toBe(true);
    expect(sum(message('hi')).empty).toBe(false);
    expect(sum(tool, turn(true)).empty).toBe(false);
    expect(sum(turn(true, 'hi')).empty).toBe(false);
  });

  it('is not finished once the agent goes on', () => {
    expect(sum(turn(true, 'started it'), message('after')).terminal).toBeNull();
    expect(sum(turn(true, 'started it'), tool).terminal).toBeNull();
    expect(sum(turn(true, 'started it'), { ...tool, subagent: 'a' }, message('x', 'a')).terminal).toEqual({ ok: true, reason: 'completed' });
  });

  it('keeps the reset time of a limit when its error follows', () => {
    expect(sum(rejected(5), error('limit')).limit).toEqual({ resetsAtMs: 5, window: 'five_hour' });
    expect(sum(error('limit')).limit).toEqual({ resetsAtMs: null, window: null });
  });

  it('has neither limit nor error after a successful turn', () => {
    expect(sum(rejected(5), error('limit'), turn(true, 'went on'))).toMatchObject({ limit: null, error: null });
    expect(sum(rejected(5), { type: 'rate_limit', status: 'allowed' }).limit).toBeNull();
  });
});

describe('the verdict of an attempt', () => {
  const exit = (code: number): Ending => ({ kind: 'exited', code });
  const killed: Ending = { kind: 'signalled', signal: 'SIGKILL' };
  const stopped = (cause: 'idle' | 'deadline' | 'output' | 'lingered' | 'cancelled'): Ending => ({
    kind: 'stopped',
    cause,
    detail: '',
    code: null,
    signal: 'SIGTERM',
  });
  const unstarted = (reason: 'not-found' | 'not-executable' | 'bad-directory' | 'other'): Ending => ({ kind: 'never-started', reason, message: '' });
  const done = [message('Done.'), turn(true, 'Done.')];

  it.each<[string, readonly AgentEvent[], Ending, AttemptVerdict]>([
    ['it said so and exited with 0', done, exit(0), 'ok'],
    ['it said so and stayed until we ended it', done, stopped('lingered'), 'ok'],
    ['it said so and worked in silence', [tool, turn(true)], exit(0), 'ok'],
    ['it said so but exited with 1', done, exit(1), 'failed'],
    ['it said so but was killed', done, killed, 'failed'],
    ['it said so and we ended it for its silence', done, stopped('idle'), 'failed'],
    ['it spoke and exited with 0 without ending its turn', [message('part')], exit(0), 'failed'],
    ['it went on after its turn and exited with 0', [...done, tool], exit(0), 'failed'],
    ['its turn failed although it exited with 0', [message('part'), turn(false)], exit(0), 'failed'],
    ['it said nothing and exited with 0', [], exit(0), 'empty'],
    ['its turn went well without a word', [turn(true)], exit(0), 'empty'],
    ['it said nothing and exited with 1', [], exit(1), 'failed'],
    ['it said nothing and was stopped', [], stopped('deadline'), 'failed'],
    ['it said nothing and its turn failed', [turn(false)], exit(0), 'failed'],
    ['it met a limit', [rejected(5), error('limit'), turn(false)], exit(1), 'limited'],
    ['it met a limit and we ended it', [rejected(5)], stopped('cancelled'), 'limited'],
    ['it met a limit and went on well', [rejected(5), ...done], exit(0), 'ok'],
    ['it may not log in', [error('auth'), turn(false)], exit(1), 'fatal'],
    ['it may not log in and we did not wait for the end', [error('auth')], stopped('cancelled'), 'fatal'],
    ['it has no credit', [error('billing'), turn(false)], exit(1), 'fatal'],
    ['its model does not exist', [error('model'), turn(false)], exit(1), 'fatal'],
    ['it could not log in at first', [error('auth'), ...done], exit(0), 'ok'],
    ['the server was overloaded to the end', [error('transient'), turn(false)], exit(1), 'limited'],
    ['the server was overloaded at first', [error('transient'), ...done], exit(0), 'ok'],
    ['the server was overloaded and then nothing came', [error('transient')], stopped('idle'), 'failed'],
    ['it spent its turns', [error('turns'), turn(false)], exit(1), 'failed'],
    ['it is not installed', [], unstarted('not-found'), 'fatal'],
    ['it may not be executed', [], unstarted('not-executable'), 'fatal'],
    ['its directory is gone', [], unstarted('bad-directory'), 'fatal'],
    ['we died while it ran', [message('part')], { kind: 'lost' }, 'lost'],
    ['we died before we saw it exit', done, { kind: 'lost' }, 'ok'],
    ['we died before we saw it exit, and its turn failed', [message('part'), turn(false)], { kind: 'lost' }, 'failed'],
    ['we died after it met a limit', [rejected(5)], { kind: 'lost' }, 'limited'],
  ])('%s', (_what, events, ending, verdict) => expect(attemptVerdict(sum(...events), ending)).toBe(verdict));

  it('of a plain command is its exit code', () => {
    const plain = (...lines: string[]) => sum(...lines.map((line) => message(line)), { type: 'turn.finished', ok: true, text: '', reason: 'exited' });
    expect(attemptVerdict(plain('working', '', 'DONE'), exit(0))).toBe('ok');
    expect(attemptVerdict(plain('working', '', 'DONE'), exit(3))).toBe('failed');
    expect(attemptVerdict(plain('', '  '), exit(0))).toBe('empty');
  });

  it('is never ok unless the last turn said so', () => {
    const anyEvent = fc.constantFrom<AgentEvent>(
      message('x'),
      message(''),
      tool,
      turn(true),
      turn(true, 'x'),
      turn(false),
      error('other'),
      error('limit'),
      rejected(1),
      usage(1),
    );
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const lastTurn = events.findLast((event) => event.type === 'turn.finished');
        if (attemptVerdict(sum(...events), exit(0)) === 'ok') expect(lastTurn).toMatchObject({ ok: true });
      }),
      { seed: 42, numRuns: 2000 },
    );
  });
});
