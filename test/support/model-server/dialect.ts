import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, ApiError, ModelRequest, ToolCall, UsageLimit } from './scenario.ts';

/** How one provider's API reads and writes; each knows one agent. */
export interface Dialect {
  readonly path: string;
  /** Throws when the body is not what the pinned agent sends. */
  read(headers: Readonly<IncomingHttpHeaders>, body: unknown): ModelRequest;
  /** Throws when the request does not offer the tool that the answer calls. */
  answer(answer: Answer, request: ModelRequest): Reply;
  refuse(refusal: ApiError | UsageLimit): Reply;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function jsonReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

export function streamReply(events: readonly StreamEvent[]): Reply {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** A scenario that calls what nobody offered would end in a puzzling tool error; this names the mistake. */
export function requireTool(name: string, { kind }: Pick<ToolCall, 'kind'>, request: ModelRequest): string {
  if (kind !== 'forced' && !request.tools.includes(name))
    throw new Error(`the scenario calls ${name}, but ${request.agent} offers only ${request.tools.join(', ')}`);
  return name;
}
