import type { Answer, ApiError, Hang, PromptTurn, Slow, ToolCall, UsageLimit } from './scenario.ts';

/** A final message: text and no tool call. */
export function say(text: string): Answer {
  return { kind: 'answer', text, tools: [] };
}

/** Runs a shell command in the agent's working folder; it really runs. */
export function run(command: string, saying = ''): Answer {
  return { kind: 'answer', text: saying, tools: [{ kind: 'shell', command }] };
}

/** Calls a tool by the name and input this agent knows, such as claude's Write. */
export function call(name: string, input: Readonly<Record<string, unknown>>, saying = ''): Answer {
  return { kind: 'answer', text: saying, tools: [{ kind: 'named', name, input }] };
}

/** Calls a tool even if the agent does not offer it, like a manipulated model. */
export function force(name: string, input: Readonly<Record<string, unknown>>): Answer {
  return { kind: 'answer', text: '', tools: [{ kind: 'forced', name, input }] };
}

/** Several tool calls in one answer. */
export function callAll(tools: readonly ToolCall[], saying = ''): Answer {
  return { kind: 'answer', text: saying, tools };
}

/** An HTTP error: 401, 429 with `{ 'retry-after': '1' }`, 529, … */
export function apiError(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): ApiError {
  return { kind: 'error', status, headers, body };
}

export function usageLimit(resetsAtMs: number): UsageLimit {
  return { kind: 'usage-limit', resetsAtMs };
}

export const hang: Hang = { kind: 'hang' };

export function slow(delayMs: number, turn: PromptTurn): Slow {
  return { kind: 'slow', delayMs, turn };
}
