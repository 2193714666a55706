import type { GateResult } from '../../src/journal/events/gates.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import type { GateSpec, LoopSpec, RunSettings } from '../../src/settings/schema/run-settings.ts';
import { settings, started } from './play-on-console.ts';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from './run-events.ts';

/** A loop as `ralph loop "Add sign-in" --check pytest --check ruff` starts it. */
export const plainLoop: LoopSpec = {
  spec: null,
  requireTag: 'always',
  budget: { costUsd: null, timeMs: 0 },
  prices: {},
  baseline: true,
  flakyRetries: 1,
  parallelChecks: false,
  witnesses: [],
  protect: [],
  verifyClean: false,
  worktree: null,
};

export const pytest: GateSpec = { command: 'pytest tests/', failAction: 'APPEND', hint: null, timeoutMs: 120_000 };
export const ruff: GateSpec = { command: 'ruff check src/', failAction: 'APPEND', hint: null, timeoutMs: 120_000 };
export const tag = { by: 'tag', text: 'COMPLETE' } as const;

export function loopStarted(loop: Partial<LoopSpec> = {}, over: Partial<RunSettings> = {}): Extract<EventBody, { type: 'run.started' }> {
  return started({
    recipe: 'loop',
    prompt: { from: 'text', text: 'Add sign-in' },
    agent: { ...settings.agent, flags: [] },
    claims: [{ kind: 'tag', word: 'COMPLETE' }],
    gates: [pytest, ruff],
    maximumIterations: 25,
    ...over,
    loop: { ...plainLoop, ...loop },
  });
}

/** Each check with its exit code. */
export type Codes = readonly (readonly [GateSpec, number])[];

/** The checks of an iteration: of iteration 0 before the first one, `where` clean in a fresh checkout. */
export function checksRun(
  iteration: number,
  codes: Codes,
  where: 'start' | 'workspace' | 'clean' = 'workspace',
  over: Partial<GateResult> = {},
): readonly EventBody[] {
  const key = `${where}:${iteration}`;
  const fact = judged(iteration, codes, { key, where, attempt: iteration === 0 ? 0 : 1, tree: 'tree', tree_after: 'tree' });
  const begun = gatesBegun(
    iteration,
    codes.map(([gate]) => gate),
  );
  if (fact.type !== 'gates.judged' || begun.type !== 'effect.begun' || begun.effect.kind !== 'run-gates') return [];
  const results = fact.results.map((result) => ({ ...result, log: `.ralph/check_00${iteration}_${where}_${result.gate.command.split(' ')[0]}.log`, ...over }));
  return [
    { ...begun, key, effect: { ...begun.effect, key, where } },
    { ...fact, results },
  ];
}

export const spentUsd = (cost_usd: number) => ({ input: 1200, cache_read: 0, cache_write: 0, output: 300, cost_usd, estimated: false });

/** Red in the first iteration, green and claimed in the second. */
export const twoIterations: readonly EventBody[] = [
  ...checksRun(
    0,
    [
      [pytest, 1],
      [ruff, 0],
    ],
    'start',
  ),
  opened(1),
  agentBegun(1),
  ended(1, { tools: 3, spent: spentUsd(0.02) }),
  ...checksRun(
    1,
    [
      [pytest, 0],
      [ruff, 1],
    ],
    'workspace',
    { output: 'src/auth.py:42:1: F841 unused\nFound 1 error.\n' },
  ),
  closed(1, { result: 'red' }),
  opened(2),
  agentBegun(2),
  ended(2, { tools: 2, spent: spentUsd(0.0223), claim: tag }),
  ...checksRun(2, [
    [pytest, 0],
    [ruff, 0],
  ]),
  closed(2, { result: 'green', claim: tag, accepted: true }),
];

export const allPassed: Outcome = {
  stop_reason: 'all_checks_passed',
  message: 'The agent said "COMPLETE" and all checks are green.',
  claim: tag,
  unproven: false,
  zero_work: false,
  signal: null,
  exit_code: 0,
};

export const stopped = (outcome: Outcome): EventBody => ({ type: 'run.stopped', outcome });
