import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hardPrompt, isGone, type OpenAgent, replay, requestIn, run } from './agent-at-hand.ts';

/** Every AgentPort, real or made up, keeps these promises. */
export function honoursTheAgentContract(open: OpenAgent): void {
  describe('a run', () => {
    it('gives the prompt, byte for byte, on stdin and in the folder', async () => {
      await using hand = await open('answers');
      await run(hand, requestIn(hand));
      expect(await hand.promptReceived()).toBe(hardPrompt);
      expect(await readFile(join(hand.folder, 'prompt.md'), 'utf8')).toBe(hardPrompt);
    });

    it('tells who was started first, then what it says, and ends its turn', async () => {
      await using hand = await open('answers');
      const { heard, ending } = await run(hand, requestIn(hand));
      expect(heard[0]).toMatchObject({ pid: expect.any(Number), startTime: expect.any(String) });
      expect(heard.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('tells of a failure by its ending, without a throw', async () => {
      await using hand = await open('fails');
      expect((await run(hand, requestIn(hand))).ending).toEqual({ kind: 'exited', code: 1 });
    });

    it('may say nothing at all', async () => {
      await using hand = await open('says-nothing');
      const { events, ending } = await run(hand, requestIn(hand));
      expect(events.filter(({ type }) => type !== 'turn.finished')).toEqual([]);
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('of a command that is not there ends before it starts', async () => {
      await using hand = await open('is-missing');
      const { heard, ending } = await run(hand, requestIn(hand));
      expect(ending).toMatchObject({ kind: 'never-started', reason: 'not-found' });
      expect(heard).toEqual([]);
    });

    it('that hangs is ended when its time is over, with all it started', async () => {
      await using hand = await open('hangs');
      const { ending, identity } = await run(hand, requestIn(hand, { deadlineMs: 1000 }));
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
      expect(await isGone(identity)).toBe(true);
    });

    it('is cancelled by its signal', async () => {
      await using hand = await open('hangs');
      const cancelling = new AbortController();
      const { ending, identity } = await run(hand, requestIn(hand), cancelling, () => cancelling.abort(new Error('enough')));
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
      expect(await isGone(identity)).toBe(true);
    });

    it('that never could start, because the signal had come before, starts nothing', async () => {
      await using hand = await open('answers');
      const { ending, heard } = await run(hand, requestIn(hand), cancelled());
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
      expect(heard).toEqual([]);
    });
  });

  describe('a replay', () => {
    it('tells the same as the run did', async () => {
      await using hand = await open('answers');
      const { events } = await run(hand, requestIn(hand));
      // The end of a plain command is its exit, and that nobody can read in its output.
      const inOutput = hand.agent.speaks('events') === 'lines' ? events.slice(0, -1) : events;
      expect(await replay(hand, requestIn(hand))).toEqual({ answer: 'replayed', events: inOutput });
    });

    it('ends no turn of an agent that was cut off before its end', async () => {
      await using hand = await open('hangs');
      await run(hand, requestIn(hand, { deadlineMs: 500 }));
      expect((await replay(hand, requestIn(hand))).events.filter(({ type }) => type === 'turn.finished')).toEqual([]);
    });

    it('is none where nothing was ever started', async () => {
      await using hand = await open('answers');
      expect(await replay(hand, requestIn(hand))).toEqual({ answer: null, events: [] });
    });

    it('tells half of a line that was never finished', async () => {
      await using hand = await open('answers');
      await run(hand, requestIn(hand));
      const spool = join(hand.folder, 'agent.jsonl');
      const whole = await readFile(spool);
      await writeFile(spool, whole.subarray(0, whole.length - 20));
      expect((await replay(hand, requestIn(hand))).answer).toBe('replayed');
      await rm(spool);
      expect((await replay(hand, requestIn(hand))).answer).toBeNull();
    });
  });

  describe('a request for text', () => {
    it('gets the prompt to it as ever, and what it promised to speak from it', async () => {
      await using hand = await open('answers');
      const { events, ending } = await run(hand, requestIn(hand, { output: 'text' }));
      expect(await hand.promptReceived()).toBe(hardPrompt);
      expect(events.slice(0, -1).every(({ type }) => type === 'message')).toBe(hand.agent.speaks('text') === 'lines');
      expect(events.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('that fails is told by its ending', async () => {
      await using hand = await open('fails');
      expect((await run(hand, requestIn(hand, { output: 'text' }))).ending).toEqual({ kind: 'exited', code: 1 });
    });

    it('that is cut off ends no turn', async () => {
      await using hand = await open('hangs');
      const { events, ending } = await run(hand, requestIn(hand, { output: 'text', deadlineMs: 1000 }));
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
      expect(events).toEqual([]);
    });

    it('is replayed as text', async () => {
      await using hand = await open('answers');
      const { events } = await run(hand, requestIn(hand, { output: 'text' }));
      const inOutput = hand.agent.speaks('text') === 'lines' ? events.slice(0, -1) : events;
      expect(await replay(hand, requestIn(hand, { output: 'text' }))).toEqual({ answer: 'replayed', events: inOutput });
    });
  });

  describe('a description', () => {
    it('is a command line without the prompt, and starts nothing', async () => {
      await using hand = await open('answers');
      const words = await hand.agent.describe(requestIn(hand));
      expect(words.length).toBeGreaterThan(0);
      expect(words.join(' ')).not.toContain('a long line');
      await expect(stat(join(hand.folder, 'agent.jsonl'))).rejects.toThrow('ENOENT');
    });
  });
}

/** For agents that say when their turn is over. A plain command says it only by its exit. */
export function endsAnAgentThatStays(open: OpenAgent): void {
  it('ends an agent that stays after its last word, and its result counts', async () => {
    await using hand = await open('stays');
    const { ending, events, identity } = await run(hand, requestIn(hand, { idleMs: 0, lingerMs: 500 }));
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'lingered' });
    expect(events.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
    expect(await isGone(identity)).toBe(true);
  });
}

function cancelled(): AbortController {
  const control = new AbortController();
  control.abort(new Error('before it began'));
  return control;
}

/** For agents with a text mode, and for plain commands. */
export function printsTextWhenAsked(open: OpenAgent): void {
  it('says, when asked for text, every line it prints and nothing else', async () => {
    await using hand = await open('answers');
    const { events } = await run(hand, requestIn(hand, { output: 'text' }));
    expect(hand.agent.speaks('text')).toBe('lines');
    const said = events.flatMap((event) => (event.type === 'message' ? [`${event.text}\n`] : []));
    expect(said.join('')).toBe(await readFile(join(hand.folder, 'agent.jsonl'), 'utf8'));
  });
}

/** For agents whose last word only their events can tell. */
export function keepsToItsEvents(open: OpenAgent): void {
  it('is called, when asked for text, as it is called for events', async () => {
    await using hand = await open('answers');
    expect(hand.agent.speaks('text')).toBe('events');
    expect(await hand.agent.describe(requestIn(hand, { output: 'text' }))).toEqual(await hand.agent.describe(requestIn(hand)));
  });
}
