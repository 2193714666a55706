import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SendEvent } from '../engine/contracts.ts';
import type { Supervision } from '../engine/ports/ports.ts';
import type { RunState } from '../journal/state/state.ts';
import type { HookName } from './hooks/hook-input.ts';

/** What a supervisor's door offers besides its own state. Every other loop has none of it. */
export interface SupervisorDoor {
  readonly project: string;
  readonly task: string;
  readonly supervision: Pick<Supervision, 'taskBus' | 'projectBus'>;
  readonly newRunId: () => string;
  /** The run folder of a run of that task; null means the supervisor's own task. */
  readonly runFolderOf: (run: string, task: string | null) => string;
  /** The log of everything that a child prints. */
  readonly logOf: (run: string) => string;
  /** The status of a run as JSON with at least `run`, `status` and `exit_code`; null when there is no such run. */
  readonly statusOf: (run: string) => Promise<unknown | null>;
}

/** The answer to an agent's hook: JSON for the agent, null for no output. Never throws. */
export type AnswerHooks = (name: HookName, input: unknown) => Promise<unknown>;

/** What the door answers from. */
export interface DoorContext {
  readonly state: () => RunState;
  readonly tell: SendEvent;
  readonly nowMs: () => number;
  readonly rooms: SupervisorDoor | null;
  /** Null for every run that is not on stories. */
  readonly hooks: AnswerHooks | null;
  /** Aborted when the door closes: pending requests are released. */
  readonly closing: AbortSignal;
}

/** One whole answer. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const refusal = (status: number, error: string): Answer => ({ status, body: { error } });

export type ReadBody = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'refused'; readonly answer: Answer };

/** Enough for a prompt with a whole book; anything larger is not a request of ours. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Reads a JSON body. A body that is too large is read to its end and discarded, so that its sender gets the answer. */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= LARGEST_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  if (bytes > LARGEST_BYTES) return { kind: 'refused', answer: refusal(413, `the body is larger than ${LARGEST_BYTES} bytes`) };
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { kind: 'refused', answer: refusal(400, 'the body is not JSON') };
  }
}

/** An answer, serialized. */
export interface SerializedAnswer {
  readonly status: number;
  readonly text: string;
}

/** Empty text without a body. Throws if the body is not JSON or does not fit into one string. */
export function serializeAnswer({ status, body }: Answer): SerializedAnswer {
  return { status, text: body === undefined ? '' : `${JSON.stringify(body)}\n` };
}

/** The client may be gone. */
export function sendAnswer(response: ServerResponse, { status, text }: SerializedAnswer): void {
  response.on('error', () => undefined);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
