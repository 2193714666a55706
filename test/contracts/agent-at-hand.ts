import { readFile } from 'node:fs/promises';
import type { AgentPort, AgentRequest } from '../../src/engine/ports/agent.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import type { ProcessEnding, ProcessIdentity } from '../../src/process/process-request.ts';

/** What the suite needs an agent to do. `stays`: answers, then neither exits nor prints. `hangs`: never prints anything. */
export type Behaviour = 'answers' | 'fails' | 'says-nothing' | 'stays' | 'hangs' | 'is-missing';

export interface AgentAtHand extends AsyncDisposable {
  readonly agent: AgentPort;
  /** An existing folder for this attempt. */
  readonly folder: string;
  /** Its standard input. */
  readonly promptReceived: () => Promise<string>;
}

export type OpenAgent = (behaviour: Behaviour) => Promise<AgentAtHand>;

/** How long something fast may take on a busy machine. */
const PATIENCE_MS = 30_000;

/** Must not be read as an option, expanded by a shell, or end a line. */
export const hardPrompt = `-p "quoted" 'too' $HOME ünïcödé\n${'a long line '.repeat(20_000)}\n`;

export function requestIn({ folder }: AgentAtHand, more: Partial<AgentRequest> = {}): AgentRequest {
  return {
    prompt: hardPrompt,
    output: 'events',
    marker: `contract/${folder.split('/').at(-1)}-${process.pid}`,
    cwd: folder,
    folder,
    idleMs: PATIENCE_MS,
    deadlineMs: PATIENCE_MS,
    maxOutputBytes: 0,
    lingerMs: PATIENCE_MS,
    budgetUsd: null,
    ...more,
  };
}

interface Ran {
  readonly ending: ProcessEnding;
  /** Identity and events, in order. */
  readonly heard: readonly (ProcessIdentity | AgentEvent)[];
  readonly events: readonly AgentEvent[];
  readonly identity: ProcessIdentity | null;
}

export async function run({ agent }: AgentAtHand, request: AgentRequest, control = new AbortController(), whenSpawned = () => {}): Promise<Ran> {
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

export async function replay({ agent }: AgentAtHand, request: AgentRequest): Promise<{ answer: 'replayed' | null; events: AgentEvent[] }> {
  const events: AgentEvent[] = [];
  return { answer: await agent.replay(request, (event) => events.push(event)), events };
}

/** Not only signalled: a zombie still answers `kill(pid, 0)`, but a port resolves only when the process was collected. */
export async function isGone(identity: ProcessIdentity | null): Promise<boolean> {
  if (identity === null) return false;
  const status = await readFile(`/proc/${identity.pid}/stat`, 'utf8').catch(() => null);
  return status === null || !status.includes(` ${identity.startTime} `);
}
