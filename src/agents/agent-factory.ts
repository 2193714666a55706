/** What a caller's own agent is made with: one fresh agent for every attempt, which as a rule is one for every iteration. */
export interface FactoryCall {
  /** The name the caller has given it; `build` if none. */
  readonly agent: string;
  readonly model: string | null;
  /** The folder it has to work in: the caller's, or a worktree of the run. */
  readonly workspaceRoot: string;
  /** Counted from 1. */
  readonly iteration: number;
  /** What `run` will be given, for factories that do the work themselves. */
  readonly prompt: string;
  /** Aborted when its time is up or the run is stopped. */
  readonly signal: AbortSignal;
}

/** What an agent has to say when it is done. All of it may be left out by one that only works. */
export interface AgentAnswer {
  /** Its last message, where the completion tag is looked for. */
  readonly text?: string;
  /** In US dollars; one that is no number or negative counts as not said. */
  readonly cost?: number | null;
  readonly steps?: number;
  readonly tokens?: AgentTokens;
}

export interface AgentTokens {
  /** Fresh ones: without those read from or written to a cache. */
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
}

/** What a function gives that only works. */
type Nothing = ReturnType<() => void>;

/** A text alone is an answer too. */
export type AnyAnswer = AgentAnswer | string | Nothing | undefined;

export type AgentFunction = (prompt: string, signal: AbortSignal) => AnyAnswer | PromiseLike<AnyAnswer>;

export interface LoopAgent {
  readonly run: AgentFunction;
}

type Made = LoopAgent | AgentFunction | AnyAnswer;

/** Makes an agent, or the function that is one, or does the work itself and gives the answer. */
export type AgentFactory = (call: FactoryCall) => Made | PromiseLike<Made>;

/** Has an agent made and asks it. Rejects with whatever the caller's code threw. */
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
