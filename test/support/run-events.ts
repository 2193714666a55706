import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { GatesJudged } from '../../src/journal/events/gates.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { GateSpec } from '../../src/settings/schema/run-settings.ts';

/** The events of a run for a journal; pass only what differs from a successful iteration. */
export const opened = (iteration: number, lane = 1): EventBody => ({ type: 'iteration.opened', iteration, lane });

export const agentBegun = (iteration: number, attempt = 1): EventBody => ({
  type: 'effect.begun',
  key: `agent:${iteration}.${attempt}`,
  effect: {
    kind: 'run-agent',
    key: `agent:${iteration}.${attempt}`,
    iteration,
    attempt,
    role: 'work',
    prompt: null,
    about: '',
    failures: [],
    maximum: 10,
    context: null,
    previous_life: null,
    until: null,
    budget_usd: null,
  },
});

export const ended = (iteration: number, over: Partial<AttemptEnded> = {}): EventBody => ({
  type: 'attempt.ended',
  key: `agent:${iteration}.${over.attempt ?? 1}`,
  iteration,
  attempt: 1,
  role: 'work',
  verdict: 'ok',
  why: '',
  ending: { kind: 'exited', code: 0 },
  claim: null,
  message: null,
  tree: null,
  limit_resets_at: null,
  limit_window: null,
  spent: null,
  tools: 0,
  tool_errors: 0,
  unknown_lines: 0,
  duration_ms: 2000,
  exit_code_if_fatal: null,
  ...over,
});

export const gatesBegun = (iteration: number, gates: readonly GateSpec[], attempt = 1): EventBody => ({
  type: 'effect.begun',
  key: `gates:${iteration}.${attempt}`,
  effect: {
    kind: 'run-gates',
    key: `gates:${iteration}.${attempt}`,
    iteration,
    attempt,
    where: 'workspace',
    gates: [...gates],
    name_tree: false,
    keep_tree: false,
    phase: '',
    protect: null,
    tree: null,
    until: null,
  },
});

/** Each gate with its exit code. */
export const judged = (iteration: number, codes: readonly (readonly [GateSpec, number])[], over: Partial<GatesJudged> = {}): EventBody => ({
  type: 'gates.judged',
  key: `gates:${iteration}.${over.attempt ?? 1}`,
  iteration,
  attempt: 1,
  where: 'workspace',
  results: codes.map(([gate, code]) => ({
    gate,
    green: code === 0,
    flaky: false,
    ending: { kind: 'exited', code },
    log: `.ralph/guardrail_00${iteration}_${gate.command.replace(' ', '_')}.log`,
    output: '',
    output_bytes: 0,
    output_sha256: '',
    duration_ms: 1234,
  })),
  tree: null,
  tree_after: null,
  head: null,
  head_tree: null,
  problem: null,
  tidied: [],
  ...over,
});

export const claim = { by: 'response', text: 'DONE' } as const;

export const closed = (iteration: number, over: Partial<Extract<EventBody, { type: 'iteration.closed' }>> = {}): EventBody => ({
  type: 'iteration.closed',
  iteration,
  result: 'red',
  claim: null,
  accepted: false,
  zero_work: false,
  ...over,
});
