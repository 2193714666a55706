import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tell } from '../engine/contracts.ts';
import type { Supervision } from '../engine/ports/ports.ts';
import type { RunState } from '../journal/state/state.ts';
import type { HookName } from './hooks/hook-input.ts';

/** What a supervisor has behind its door, beside its own state. Every other loop has none of it. */
export interface DoorRooms {
  readonly project: string;
  readonly task: string;
  readonly supervision: Pick<Supervision, 'taskBus' | 'projectBus'>;
  readonly newRunId: () => string;
  /** Where a run of that task has its journal; null is the supervisor's own task. */
  readonly runFolderOf: (run: string, task: string | null) => string;
  /** Where all that a child prints is written. */
  readonly logOf: (run: string) => string;
  /** How a run is doing, as JSON with at least `run`, `status` and `exit_code`; null when there is no such run. */
  readonly statusOf: (run: string) => Promise<unknown | null>;
}

/** What the hooks of an agent are answered: JSON for the agent, null for nothing to say. Never throws. */
export type AnswerHooks = (name: HookName, input: unknown) => Promise<unknown>;

/** Who answers. */
export interface House {
  readonly state: () => RunState;
  readonly tell: Tell;
  readonly nowMs: () => number;
  readonly rooms: DoorRooms | null;
  /** Null for every run that is not on stories. */
  readonly hooks: AnswerHooks | null;
  /** Aborted when the door is shut: who still waits for an answer is let go. */
  readonly closing: AbortSignal;
}

/** What is said through the door, in one piece. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const refusal = (status: number, error: string): Answer => ({ status, body: { error } });

export type ReadBody = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'refused'; readonly answer: Answer };

/** A prompt with a book in it; more is no request of ours. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Reads a JSON body. One that is too large is read to its end and thrown away as it comes, so that its sender hears why. */
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

/** An answer in the words that go over the door. */
export interface SaidAnswer {
  readonly status: number;
  readonly text: string;
}

/** Nothing at all where there is no body. Throws for what is no JSON, or more than fits into one text. */
export function say({ status, body }: Answer): SaidAnswer {
  return { status, text: body === undefined ? '' : `${JSON.stringify(body)}\n` };
}

/** Who asked may be gone. */
export function give(response: ServerResponse, { status, text }: SaidAnswer): void {
  response.on('error', () => undefined);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
