/** What an agent's output stream says, in our terms. Every agent's parser returns only these. */
export type AgentEvent =
  | { readonly type: 'session.started'; readonly sessionId: string; readonly model?: string }
  | { readonly type: 'message'; readonly text: string; readonly subagent?: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool.started'; readonly id: string; readonly name: string; readonly input: unknown; readonly subagent?: string }
  | { readonly type: 'tool.finished'; readonly id: string; readonly ok: boolean; readonly exitCode?: number; readonly output: string }
  | { readonly type: 'file.changed'; readonly path: string; readonly kind: 'add' | 'update' | 'delete' }
  | { readonly type: 'todo'; readonly items: readonly TodoItem[] }
  | { readonly type: 'subagent.started'; readonly id: string; readonly kind: 'agent' | 'shell'; readonly description?: string }
  | { readonly type: 'subagent.finished'; readonly id: string; readonly tokens?: number }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly max?: number;
      readonly delayMs?: number;
      readonly status?: number;
      readonly kind: AgentErrorKind;
    }
  | {
      readonly type: 'rate_limit';
      readonly status: 'allowed' | 'warning' | 'rejected';
      readonly resetsAtMs?: number;
      readonly window?: string;
      readonly utilization?: number;
    }
  | ({ readonly type: 'usage' } & Usage)
  | { readonly type: 'error'; readonly kind: AgentErrorKind; readonly message: string; readonly status?: number }
  | { readonly type: 'turn.finished'; readonly ok: boolean; readonly text: string; readonly reason: string }
  | { readonly type: 'note'; readonly text: string }
  /** A line that the parser does not understand, or that is not JSON. It is counted and kept in the spool; it is never fatal. */
  | { readonly type: 'raw'; readonly line: string };

export interface TodoItem {
  readonly id: string;
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** Only where the agent names one. */
  readonly priority?: 'low' | 'medium' | 'high';
}

/** Totals of the whole process so far: a later one replaces an earlier one. */
export interface Usage {
  /** Fresh tokens only, without those read from or written to the cache, whatever the agent's own count includes. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning?: number;
  readonly costUsd?: number;
  /** The part of these tokens that it used after it told `costUsd`; absent: the cost is for all of them. */
  readonly afterCost?: Usage;
}

/**
 * limit, overloaded: wait and retry. transient: the provider or the network failed; retry soon. auth, forbidden, billing, model, flag, fatal: a retry cannot
 * help. `cause-of.ts` says what each of them is a cause of.
 */
export type AgentErrorKind =
  | ('limit' | 'overloaded' | 'transient')
  | ('auth' | 'forbidden' | 'billing' | 'model' | 'flag' | 'fatal')
  | ('context' | 'refusal' | 'budget' | 'turns' | 'other');
