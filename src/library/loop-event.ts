import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { ProofLevel, ProofVerdict } from '../journal/words/proof.ts';
import type { CheckResult, LoopIteration, LoopResult } from './loop-result.ts';

/** The events of a loop, in order. Iteration 0 is the time before the first iteration. */
export type LoopEvent =
  | { readonly type: 'run.started'; readonly runId: string; readonly runFolder: string; readonly workspaceRoot: string; readonly isResumed: boolean }
  | { readonly type: 'iteration.started'; readonly iteration: number }
  /** What an agent says and does, live. An agent function reports everything at its end. */
  | { readonly type: 'agent'; readonly iteration: number; readonly event: AgentEvent }
  /** `why` is empty if `ok` is true. */
  | { readonly type: 'agent.finished'; readonly iteration: number; readonly ok: boolean; readonly why: string; readonly duration: number }
  | { readonly type: 'check.started'; readonly iteration: number; readonly name: string }
  | { readonly type: 'check.finished'; readonly iteration: number; readonly check: CheckResult }
  /** Protected paths that an agent changed and Ralph reverted. */
  | { readonly type: 'paths.restored'; readonly iteration: number; readonly paths: readonly string[] }
  | { readonly type: 'commit.made'; readonly iteration: number; readonly commit: string }
  | { readonly type: 'commit.refused'; readonly iteration: number; readonly why: string }
  | { readonly type: 'spec.changed'; readonly path: string; readonly isObeyed: boolean }
  | { readonly type: 'limit.met'; readonly resetsAt: Date | null }
  /** The sandbox refused something, or Ralph reverted an unexpected change. */
  | { readonly type: 'wall.refused'; readonly what: 'network' | 'write' | 'planted' | 'history'; readonly target: string }
  /** The agent asks a person. */
  | { readonly type: 'question.asked'; readonly iteration: number; readonly text: string }
  /** Ralph tried to prove a claim. `why` is empty if it is proven. */
  | { readonly type: 'proof.judged'; readonly iteration: number; readonly verdict: ProofVerdict; readonly level: ProofLevel; readonly why: string }
  | { readonly type: 'iteration.finished'; readonly iteration: LoopIteration }
  | { readonly type: 'receipt.written'; readonly file: string; readonly commit: string | null }
  | { readonly type: 'warning'; readonly text: string }
  /** The reader was too slow, so this many events were dropped here, agent events first. */
  | { readonly type: 'events.dropped'; readonly count: number }
  | { readonly type: 'run.finished'; readonly result: LoopResult };

/** Wraps a caller's listener so that it cannot break the run: after it throws, it is not called again. */
export function guardedListener<Event>(by: string, onEvent: ((event: Event) => void) | null | undefined): (event: Event) => void {
  let listener = onEvent ?? null;
  return (event) => {
    try {
      listener?.(event);
    } catch (error) {
      listener = null;
      process.emitWarning(`onEvent of ${by} threw and is not called again: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
