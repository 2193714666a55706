import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentAtHand, hardPrompt, replay, requestIn, run } from '../../test/contracts/agent-at-hand.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { AgentFactory, FactoryCall } from './agent-factory.ts';
import { openFunctionAgent } from './function-agent.ts';

async function open(factory: AgentFactory, graceMs = 100): Promise<AgentAtHand> {
  const folder = await openThrowAwayFolder();
  return {
    agent: openFunctionAgent({ factory, agent: 'mine', model: 'm-1', graceMs }),
    folder: folder.path,
    promptReceived: () => readFile(join(folder.path, 'prompt.md'), 'utf8'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const answering = (text: string) => async () => ({ text });
const hanging: AgentFactory = () => new Promise(() => undefined);
const untilToldToStop: AgentFactory = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
const finished = (text: string) => ({ type: 'turn.finished', ok: true, text, reason: 'answered' });

describe('a factory', () => {
  it.each<[string, AgentFactory]>([
    ['gives an agent', () => ({ run: async (prompt) => ({ text: `${prompt.length}` }) })],
    ['gives a function', async () => async (prompt: string) => ({ text: `${prompt.length}` })],
    ['does the work itself', async ({ prompt }) => ({ text: `${prompt.length}` })],
    ['answers with a mere text', async ({ prompt }) => `${prompt.length}`],
    ['is not even asynchronous', ({ prompt }) => `${prompt.length}`],
  ])('%s', async (_, factory) => {
    await using hand = await open(factory);
    const { events, ending } = await run(hand, requestIn(hand));
    expect(events).toEqual([finished(String(hardPrompt.length))]);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
  });

  it('is called once per attempt, with all it needs to know', async () => {
    const calls: FactoryCall[] = [];
    await using hand = await open((call) => {
      calls.push(call);
      return 'done';
    });
    await run(hand, requestIn(hand, { marker: '20260101-000000-abcdef~1/7.2' }));
    expect(calls).toEqual([
      { agent: 'mine', model: 'm-1', workspaceRoot: hand.folder, iteration: 7, prompt: hardPrompt, signal: expect.any(AbortSignal) as AbortSignal },
    ]);
  });

  it('keeps the `this` of its agent', async () => {
    const agent = {
      words: 'mine',
      async run() {
        return this.words;
      },
    };
    await using hand = await open(() => agent);
    expect((await run(hand, requestIn(hand))).events).toEqual([finished('mine')]);
  });
});

describe('an answer', () => {
  it('reports its steps, its cost and its tokens before its turn ends', async () => {
    await using hand = await open(() => ({ text: 'COMPLETE', cost: 0.25, steps: 2, tokens: { input: 10, output: 5 } }));
    const { events } = await run(hand, requestIn(hand));
    expect(events.map(({ type }) => type)).toEqual(['tool.started', 'tool.started', 'usage', 'turn.finished']);
    expect(events[2]).toEqual({ type: 'usage', input: 10, cacheRead: 0, cacheWrite: 0, output: 5, costUsd: 0.25 });
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, null, '1' as unknown as number])('with the cost %s counts as one of unknown cost', async (cost) => {
    await using hand = await open(() => ({ text: 'hello', cost }));
    expect((await run(hand, requestIn(hand))).events).toEqual([finished('hello')]);
    await using withTokens = await open(() => ({ text: 'hello', cost, tokens: { output: Number.NaN } }));
    const { events } = await run(withTokens, requestIn(withTokens));
    expect(events[0]).toEqual({ type: 'usage', input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });
  });

  it.each([undefined, {}, '', { text: ' ' }, { text: 7 as unknown as string }])('without a text (%j) is an answer all the same', async (answer) => {
    await using hand = await open(() => answer);
    expect((await run(hand, requestIn(hand))).events).toEqual([finished('It gave no text.')]);
  });

  it('with a flood of steps is cut', async () => {
    await using hand = await open(() => ({ steps: 1e12 }));
    expect((await run(hand, requestIn(hand))).events).toHaveLength(10_001);
  });

  it('of another type is a failure', async () => {
    await using hand = await open((() => 42) as unknown as AgentFactory);
    const { events, ending } = await run(hand, requestIn(hand));
    expect(events).toMatchObject([{ type: 'error', message: expect.stringContaining('not with a number') as string }]);
    expect(ending).toEqual({ kind: 'exited', code: 1 });
  });
});

describe('a function that throws', () => {
  it.each<[string, AgentFactory, string]>([
    ['an error', () => Promise.reject(new Error('LLM API down')), 'LLM API down'],
    [
      'at once',
      () => {
        throw new Error('no key');
      },
      'no key',
    ],
    ['a mere text', () => Promise.reject('nothing works'), 'nothing works'],
    ['nothing at all', () => Promise.reject(undefined), 'undefined'],
  ])('%s is reported, without an exception of ours', async (_, factory, message) => {
    await using hand = await open(factory);
    const { events, ending } = await run(hand, requestIn(hand));
    expect(events).toEqual([{ type: 'error', kind: 'other', message }]);
    expect(ending).toEqual({ kind: 'exited', code: 1 });
  });
});

describe('a function that does not end', () => {
  it('is told to stop when its time is over', async () => {
    await using hand = await open(untilToldToStop);
    const { ending, events } = await run(hand, requestIn(hand, { deadlineMs: 200 }));
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline', detail: 'still running after 0.2 s' });
    expect(events).toEqual([]);
  });

  it('is told to stop by the signal', async () => {
    const cancelling = new AbortController();
    await using hand = await open((call) => {
      setImmediate(() => cancelling.abort(new Error('enough')));
      return untilToldToStop(call);
    });
    expect((await run(hand, requestIn(hand), cancelling)).ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', detail: 'enough' });
  });

  it('and ignores that is left behind, which is reported', async () => {
    await using hand = await open(hanging);
    const { ending } = await run(hand, requestIn(hand, { deadlineMs: 100 }));
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline', detail: expect.stringContaining('may still be at work') as string });
  });

  it('may report its usage in its grace period, but its turn does not end', async () => {
    await using hand = await open(
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'COMPLETE', cost: 1 }))),
      30_000,
    );
    const { ending, events } = await run(hand, requestIn(hand, { deadlineMs: 100 }));
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
    expect(events).toMatchObject([{ type: 'usage', costUsd: 1 }]);
  });

  it('is not even started when the signal came before', async () => {
    await using hand = await open(answering('hello'));
    const before = new AbortController();
    before.abort(new Error('before it began'));
    const { ending, heard } = await run(hand, requestIn(hand), before);
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
    expect(heard).toEqual([]);
    await expect(stat(join(hand.folder, 'agent.jsonl'))).rejects.toThrow('ENOENT');
  });
});

describe('an attempt', () => {
  it('keeps its prompt, byte for byte, and names no process for a crash to leave running', async () => {
    await using hand = await open(answering('hello'));
    const { identity } = await run(hand, requestIn(hand));
    expect(await hand.promptReceived()).toBe(hardPrompt);
    expect(identity).toBeNull();
  });

  it('is replayed as it was reported', async () => {
    await using hand = await open(() => ({ text: 'two\nlines \uD800', cost: 0.5, steps: 1 }));
    const { events } = await run(hand, requestIn(hand));
    expect(await replay(hand, requestIn(hand))).toEqual({ answer: 'replayed', events });
  });

  it('that was never begun has nothing to replay', async () => {
    await using hand = await open(answering('hello'));
    expect(await replay(hand, requestIn(hand))).toEqual({ answer: null, events: [] });
  });

  it('without an answer is found, without one', async () => {
    await using hand = await open(hanging);
    await run(hand, requestIn(hand, { deadlineMs: 50 }));
    expect(await replay(hand, requestIn(hand))).toEqual({ answer: 'replayed', events: [] });
  });

  it('does not start where its prompt cannot be kept', async () => {
    await using hand = await open(answering('hello'));
    const { ending } = await run(hand, requestIn(hand, { folder: join(hand.folder, 'missing') }));
    expect(ending).toMatchObject({ kind: 'never-started', reason: 'other' });
  });
});
