import type { IncomingHttpHeaders } from 'node:http';

/** One request an agent made of the model, in the words a test asks about. */
export interface ModelRequest {
  readonly agent: 'claude' | 'codex';
  readonly path: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly model: string;
  readonly streamed: boolean;
  /** One per agent process with fresh context: tells the attempts of a loop apart. */
  readonly session: string;
  /** The last user message, without the additions of the agent. */
  readonly prompt: string;
  /** What the tools answered so far in this session, oldest first. */
  readonly toolResults: readonly string[];
  /** Every text the model would read: instructions, reminders, prompts, its own answers, tool results. */
  readonly transcript: string;
  /** The whole request as it came: for what must not be in it anywhere. */
  readonly body: string;
  /** The names of the offered tools. Empty: a side request of the client (a title, a probe), not the work itself. */
  readonly tools: readonly string[];
}

/** shell: the agent's own tool to run a command, whatever its name. forced: called even if it is not offered. */
export type ToolCall =
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'named' | 'forced'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** The model answers with text, tool calls or both; without a tool call the agent ends its turn. */
export interface Answer {
  readonly kind: 'answer';
  readonly text: string;
  readonly tools: readonly ToolCall[];
  /** What it thinks before it speaks; only claude's says. */
  readonly thinking?: string;
}

/** The provider answers with an HTTP error. An empty body is filled in as that provider would write it. */
export interface ApiError {
  readonly kind: 'error';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The plan is spent until then; each provider says so in its own headers and body. */
export interface UsageLimit {
  readonly kind: 'usage-limit';
  readonly resetsAtMs: number;
}

/** Takes the request and never answers. */
export interface Hang {
  readonly kind: 'hang';
}

/** Takes its time before the first byte of the answer. */
export interface Slow {
  readonly kind: 'slow';
  readonly delayMs: number;
  readonly turn: PromptTurn;
}

export type PromptTurn = Answer | ApiError | UsageLimit | Hang;

/** What the model does with one request. */
export type Turn = PromptTurn | Slow;

/** A list gives each request the next turn, retries included; a function chooses. `index` counts the requests from 0. */
export type Scenario = readonly Turn[] | ((request: ModelRequest, index: number) => Turn);

/** The turn for this request. Throws at the end of the list, so that a loop with too many requests is noticed. */
export function playScenario(scenario: Scenario, request: ModelRequest, index: number): Turn {
  if (typeof scenario === 'function') return scenario(request, index);
  const turn = scenario[index];
  if (turn === undefined) throw new Error(`the scenario has ${scenario.length} turns, ${request.agent} asked for one more`);
  return turn;
}

/** The same turn for every request: for errors, which agents retry as often as they like. */
export function always(turn: Turn): Scenario {
  return () => turn;
}

/** One scenario per agent process, in the order in which they first ask; each counts its requests from 0. */
export function perSession(...scenarios: readonly Scenario[]): Scenario {
  const askedBySession = new Map<string, number>();
  return (request) => {
    const index = askedBySession.get(request.session) ?? 0;
    askedBySession.set(request.session, index + 1);
    const seat = [...askedBySession.keys()].indexOf(request.session);
    const scenario = scenarios[seat];
    if (scenario === undefined) throw new Error(`the scenario has ${scenarios.length} sessions, ${request.agent} began one more`);
    return playScenario(scenario, request, index);
  };
}
