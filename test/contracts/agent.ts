import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentPort, AgentRequest } from '../../src/engine/ports/agent.ts';
import type { ProcessEnding, ProcessIdentity } from '../../src/kit/process/process-ending.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';

/** What the suite needs an agent to do. `stays`: answers well, then neither exits nor speaks. `hangs`: never says a word. */
export type Behaviour = 'answers' | 'fails' | 'says-nothing' | 'stays' | 'hangs' | 'is-missing';

export interface AgentAtHand extends AsyncDisposable {
  readonly agent: AgentPort;
  /** An existing folder for this attempt. */
  readonly folder: string;
  /** What came in on stdin. */
  readonly promptReceived: () => Promise<string>;
}

export type OpenAgent = (behaviour: Behaviour) => Promise<AgentAtHand>;

/** How long something may take that must not take long, on a machine with other work. */
const PATIENCE_MS = 30_000;
const prompt = `-p "quoted" 'too' $HOME ünïcödé\n${'a long line '.repeat(20_000)}\n`;

/** Every AgentPort, real or made up, keeps these promises. */
export function honoursTheAgentContract(open: OpenAgent): void {
  const requestIn = ({ folder }: AgentAtHand, more: Partial<AgentRequest> = {}): AgentRequest => ({
    prompt,
    marker: `contract/${folder.split('/').at(-1)}`,
    cwd: folder,
    folder,
    idleMs: PATIENCE_MS,
    deadlineMs: PATIENCE_MS,
    maxOutputBytes: 0,
    lingerMs: PATIENCE_MS,
    ...more,
  });

  describe('a run', () => {
    it('gives the prompt, byte for byte, on stdin and in the folder', async () => {
      await using hand = await open('answers');
      await run(hand, requestIn(hand));
      expect(await hand.promptReceived()).toBe(prompt);
      expect(await readFile(join(hand.folder, 'prompt.md'), 'utf8')).toBe(prompt);
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
      const inOutput = hand.agent.speaks === 'lines' ? events.slice(0, -1) : events;
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
    const request = { prompt, marker: `contract/stays-${process.pid}`, cwd: hand.folder, folder: hand.folder };
    const limits = { idleMs: 0, deadlineMs: PATIENCE_MS, maxOutputBytes: 0, lingerMs: 500 };
    const { ending, events, identity } = await run(hand, { ...request, ...limits });
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'lingered' });
    expect(events.at(-1)).toMatchObject({ type: 'turn.finished', ok: true });
    expect(await isGone(identity)).toBe(true);
  });
}

interface Ran {
  readonly ending: ProcessEnding;
  /** Identity and events, in the order they were told. */
  readonly heard: readonly (ProcessIdentity | AgentEvent)[];
  readonly events: readonly AgentEvent[];
  readonly identity: ProcessIdentity | null;
}

async function run({ agent }: AgentAtHand, request: AgentRequest, control = new AbortController(), whenSpawned = () => {}): Promise<Ran> {
  const heard: (ProcessIdentity | AgentEvent)[] = [];
  const events: AgentEvent[] = [];
  let identity: ProcessIdentity | null = null;
  const ending = await agent.run(
    request,
    {
      onSpawned(spawned) {
        identity = spawned;
        heard.push(spawned);
        whenSpawned();
      },
      onEvent(event) {
        heard.push(event);
        events.push(event);
      },
    },
    control.signal,
  );
  return { ending, heard, events, identity };
}

async function replay({ agent }: AgentAtHand, request: AgentRequest): Promise<{ answer: 'replayed' | null; events: AgentEvent[] }> {
  const events: AgentEvent[] = [];
  return { answer: await agent.replay(request, (event) => events.push(event)), events };
}

function cancelled(): AbortController {
  const control = new AbortController();
  control.abort(new Error('before it began'));
  return control;
}

/** Not merely signalled: a zombie still answers `kill(pid, 0)`, but a port resolves only when even that is over. */
async function isGone(identity: ProcessIdentity | null): Promise<boolean> {
  if (identity === null) return false;
  const status = await readFile(`/proc/${identity.pid}/stat`, 'utf8').catch(() => null);
  return status === null || !status.includes(` ${identity.startTime} `);
}
