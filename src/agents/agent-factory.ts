/** What a caller's own agent is made with: one fresh agent for every attempt, so usually one for every iteration. */
export interface FactoryCall {
  /** The name that the caller gave it; `build` if none. */
  readonly agent: string;
  readonly model: string | null;
  /** Its folder: the caller's, or a worktree of the run. */
  readonly workspaceRoot: string;
  /** Counted from 1. */
  readonly iteration: number;
  /** The argument of `run`, for factories that do the work themselves. */
  readonly prompt: string;
  /** Aborted when its time is up or the run is stopped. */
  readonly signal: AbortSignal;
}

/** An agent's answer. Every field may be missing. */
export interface AgentAnswer {
  /** Its last message, in which the completion tag is searched. */
  readonly text?: string;
  /** In US dollars; an invalid or negative number counts as unknown. */
  readonly cost?: number | null;
  readonly steps?: number;
  readonly tokens?: AgentTokens;
}

export interface AgentTokens {
  /** Fresh tokens, without those read from or written to a cache. */
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
}

/** The return value of a function without one. */
type Nothing = ReturnType<() => void>;

/** A text alone is an answer too. */
export type AnyAnswer = AgentAnswer | string | Nothing | undefined;

export type AgentFunction = (prompt: string, signal: AbortSignal) => AnyAnswer | PromiseLike<AnyAnswer>;

export interface LoopAgent {
  readonly run: AgentFunction;
}

type Made = LoopAgent | AgentFunction | AnyAnswer;

/** Makes an agent, or the function that is one, or does the work itself and returns the answer. */
export type AgentFactory = (call: FactoryCall) => Made | PromiseLike<Made>;

/** Makes an agent and asks it. Rejects with whatever the caller's code threw. */
export async function askFactory(factory: AgentFactory, call: FactoryCall): Promise<AgentAnswer> {
  const made = await factory(call);
  if (typeof made === 'function') return asAnswer(await made(call.prompt, call.signal));
  if (isAgent(made)) return asAnswer(await made.run(call.prompt, call.signal));
  return asAnswer(made);
}

function isAgent(made: unknown): made is LoopAgent {
  return typeof made === 'object' && made !== null && 'run' in made && typeof made.run === 'function';
}

function asAnswer(said: unknown): AgentAnswer {
  if (typeof said === 'string') return { text: said };
  if (said === undefined || said === null) return {};
  if (typeof said === 'object') return said;
  throw new TypeError(`an agent must answer with a text or an object, not with a ${typeof said}`);
}
