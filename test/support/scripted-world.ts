import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentPort } from '../../src/engine/ports/agent.ts';
import type { CommandPort } from '../../src/engine/ports/command.ts';
import type { Ports } from '../../src/engine/ports/ports.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import type { ProcessEnding } from '../../src/process/process-request.ts';
import { MESSAGE_PROMPT } from '../../src/recipes/shared/scm-tasks.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { openQuota } from '../../src/store/quota-files.ts';
import { handClock } from './hand-clock.ts';
import { type MemoryGit, memoryGit, noHistoryKept } from './memory-git.ts';

/** What an agent does in one attempt. */
export type Turn = 'works' | 'claims' | 'limited' | 'empty' | 'crashes' | 'hopeless';

/** A world that follows a script: the nth attempt takes the nth turn, the nth gate is green or red as told; after the script's end all is well. */
export interface Script {
  readonly turns: readonly Turn[];
  readonly gates: readonly boolean[];
  /** Whether the nth attempt changes the workspace; work and reviews do unless it is said. */
  readonly changes?: readonly boolean[];
}

export interface ScriptedWorld<S extends RunSettings> {
  readonly ports: Ports & { readonly settings: S };
  readonly prompts: string[];
  readonly git: MemoryGit;
  /** The most attempts and gates that were ever at work together. */
  readonly most: () => number;
}

export function scriptedWorld<S extends RunSettings>(script: Script, settings: S, runFolder: string): ScriptedWorld<S> {
  const clock = handClock();
  const prompts: string[] = [];
  const git = memoryGit();
  let attempts = 0;
  let gates = 0;
  let atWork = 0;
  let most = 0;
  const busy = async <T>(work: () => Promise<T>): Promise<T> => {
    atWork += 1;
    most = Math.max(most, atWork);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return await work();
    } finally {
      atWork -= 1;
    }
  };
  const agent = scriptedAgent((prompt) => {
    prompts.push(prompt);
    attempts += 1;
    if (script.changes?.[attempts - 1] ?? prompt !== MESSAGE_PROMPT) git.change();
    return { turn: script.turns[attempts - 1] ?? 'claims', nowMs: clock.nowMs() };
  }, busy);
  const command: CommandPort = {
    run: () =>
      busy(async () => {
        gates += 1;
        const green = script.gates[gates - 1] ?? true;
        return { ending: { kind: 'exited', code: green ? 0 : 1 }, output: green ? '' : 'not yet', outputBytes: green ? 0 : 7, outputSha256: '', durationMs: 1 };
      }),
  };
  return {
    prompts,
    git,
    most: () => most,
    ports: {
      clock,
      agent,
      fallback: new Map(),
      quota: openQuota({ folder: null, run: 'r', nowMs: clock.nowMs, warn: () => undefined }),
      command,
      settings,
      git,
      history: noHistoryKept,
      showProgress: () => undefined,
      sign: async (receipt) => ({ text: JSON.stringify(receipt), signedBy: null, why: 'nobody is there to sign' }),
      changedSettings: async () => [],
      changedSpec: async () => ({ text: null, isNew: false }),
      processes: { reap: async () => undefined },
      place: { markerPrefix: 'r~1', workspace: runFolder, runFolder, viewFolder: join(runFolder, 'view') },
      showAgentEvent: () => undefined,
    },
  };
}

type Busy = <T>(work: () => Promise<T>) => Promise<T>;

/** Honours the agent's contract with scripted endings; its spool is a real file, so that what was begun can be found. */
function scriptedAgent(next: (prompt: string) => { turn: Turn; nowMs: number }, busy: Busy): AgentPort {
  return {
    name: 'scripted',
    outputFormat: () => 'events',
    describe: async () => ['scripted'],
    run: (request, listener) =>
      busy(async () => {
        await mkdir(request.folder, { recursive: true });
        await writeFile(join(request.folder, 'prompt.md'), request.prompt);
        const { turn, nowMs } = next(request.prompt);
        const { events, ending } = playTurn(turn, nowMs);
        await writeFile(join(request.folder, 'agent.jsonl'), JSON.stringify(events));
        listener.onSpawned({ host: 'h', bootId: 'b', pid: 1, startTime: '1' });
        for (const event of events) listener.onEvent(event);
        return ending;
      }),
    replay: async (request) => (existsSync(join(request.folder, 'agent.jsonl')) ? 'replayed' : null),
  };
}

const wellDone = (text: string): AgentEvent[] => [
  { type: 'message', text },
  { type: 'usage', input: 10, cacheRead: 0, cacheWrite: 0, output: 5, costUsd: 0.01 },
  { type: 'turn.finished', ok: true, text, reason: 'completed' },
];

function playTurn(turn: Turn, nowMs: number): { events: AgentEvent[]; ending: ProcessEnding } {
  const exited = (code: number): ProcessEnding => ({ kind: 'exited', code });
  switch (turn) {
    case 'works':
      return { events: wellDone('I did something.'), ending: exited(0) };
    case 'claims':
      return { events: wellDone('<response>DONE</response>'), ending: exited(0) };
    case 'empty':
      return { events: [{ type: 'turn.finished', ok: true, text: '', reason: 'completed' }], ending: exited(0) };
    case 'limited':
      return {
        events: [
          { type: 'rate_limit', status: 'rejected', resetsAtMs: nowMs + 60_000, window: 'five_hour' },
          { type: 'turn.finished', ok: false, text: 'limit', reason: 'rate_limit' },
        ],
        ending: exited(1),
      };
    case 'crashes':
      return { events: [], ending: { kind: 'signalled', signal: 'SIGKILL' } };
    case 'hopeless':
      return {
        events: [
          { type: 'error', kind: 'auth', message: 'not logged in' },
          { type: 'turn.finished', ok: false, text: '', reason: 'auth' },
        ],
        ending: exited(1),
      };
    default:
      return turn satisfies never;
  }
}
