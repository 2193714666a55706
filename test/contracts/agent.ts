import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hardPrompt, isGone, type OpenAgent, replay, requestIn, run } from './agent-at-hand.ts';

/** The contract of every AgentPort, real or fake. */
export function honoursTheAgentContract(open: OpenAgent): void {
  describe('a run', () => {
    it('passes the prompt unchanged on stdin and saves it in the folder', async () => {
      await using hand = await open('answers');
      await run(hand, requestIn(hand));
      expect(await hand.promptReceived()).toBe(hardPrompt);
      expect(await readFile(join(hand.folder, 'prompt.md'), 'utf8')).toBe(hardPrompt);
    });

    it('reports the started process first, then its events, and ends its turn', async () => {
      await using hand = await open('answers');
      const { heard, ending } = await run(hand, requestIn(hand));
      expect(heard[0]).toMatchObject({ pid: expect.any(Number), startTime: expect.any(String) });
      expect(heard.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('reports a failure as its ending, without throwing', async () => {
      await using hand = await open('fails');
      expect((await run(hand, requestIn(hand))).ending).toEqual({ kind: 'exited', code: 1 });
    });

    it('may print nothing', async () => {
      await using hand = await open('says-nothing');
      const { events, ending } = await run(hand, requestIn(hand));
      expect(events.filter(({ type }) => type !== 'turn.finished')).toEqual([]);
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('of a missing command ends as never started', async () => {
      await using hand = await open('is-missing');
      const { heard, ending } = await run(hand, requestIn(hand));
      expect(ending).toMatchObject({ kind: 'never-started', reason: 'not-found' });
      expect(heard).toEqual([]);
    });

    it('that hangs is stopped at its timeout, with all its processes', async () => {
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

    it('whose signal is already aborted starts nothing', async () => {
      await using hand = await open('answers');
      const { ending, heard } = await run(hand, requestIn(hand), cancelled());
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
      expect(heard).toEqual([]);
    });
  });

  describe('a replay', () => {
    it('reports the same events as the run', async () => {
      await using hand = await open('answers');
      const { events } = await run(hand, requestIn(hand));
      // A plain command ends with its exit, which its output does not show.
      const inOutput = hand.agent.outputFormat('events') === 'lines' ? events.slice(0, -1) : events;
      expect(await replay(hand, requestIn(hand))).toEqual({ answer: 'replayed', events: inOutput });
    });

    it('ends no turn of an agent that was interrupted', async () => {
      await using hand = await open('hangs');
      await run(hand, requestIn(hand, { deadlineMs: 500 }));
      expect((await replay(hand, requestIn(hand))).events.filter(({ type }) => type === 'turn.finished')).toEqual([]);
    });

    it('is empty if nothing was started', async () => {
      await using hand = await open('answers');
      expect(await replay(hand, requestIn(hand))).toEqual({ answer: null, events: [] });
    });

    it('includes an unfinished last line', async () => {
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
    it('passes the prompt as usual and reports the text of the agent', async () => {
      await using hand = await open('answers');
      const { events, ending } = await run(hand, requestIn(hand, { output: 'text' }));
      expect(await hand.promptReceived()).toBe(hardPrompt);
      expect(events.slice(0, -1).every(({ type }) => type === 'message')).toBe(hand.agent.outputFormat('text') === 'lines');
      expect(events.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
      expect(ending).toEqual({ kind: 'exited', code: 0 });
    });

    it('that fails reports it as its ending', async () => {
      await using hand = await open('fails');
      expect((await run(hand, requestIn(hand, { output: 'text' }))).ending).toEqual({ kind: 'exited', code: 1 });
    });

    it('that is interrupted ends no turn', async () => {
      await using hand = await open('hangs');
      const { events, ending } = await run(hand, requestIn(hand, { output: 'text', deadlineMs: 1000 }));
      expect(ending).toMatchObject({ kind: 'stopped', cause: 'deadline' });
      expect(events).toEqual([]);
    });

    it('is replayed as text', async () => {
      await using hand = await open('answers');
      const { events } = await run(hand, requestIn(hand, { output: 'text' }));
      const inOutput = hand.agent.outputFormat('text') === 'lines' ? events.slice(0, -1) : events;
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

/** For agents that report the end of their turn. A plain command shows it only by its exit. */
export function endsAnAgentThatStays(open: OpenAgent): void {
  it('stops an agent that does not exit after its final message, and its result counts', async () => {
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
  it('reports exactly its output lines when asked for text', async () => {
    await using hand = await open('answers');
    const { events } = await run(hand, requestIn(hand, { output: 'text' }));
    expect(hand.agent.outputFormat('text')).toBe('lines');
    const said = events.flatMap((event) => (event.type === 'message' ? [`${event.text}\n`] : []));
    expect(said.join('')).toBe(await readFile(join(hand.folder, 'agent.jsonl'), 'utf8'));
  });
}

/** For agents whose final message is only in their events. */
export function keepsToItsEvents(open: OpenAgent): void {
  it('is called the same way for text as for events', async () => {
    await using hand = await open('answers');
    expect(hand.agent.outputFormat('text')).toBe('events');
    expect(await hand.agent.describe(requestIn(hand, { output: 'text' }))).toEqual(await hand.agent.describe(requestIn(hand)));
  });
}
