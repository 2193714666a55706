import { agentOf, functionAgent, type NamedAgent } from './agent-of.ts';
import { limitsOf, ms, proofOf, protectedPatterns } from './run-limits.ts';
import { sandboxOf } from './sandbox-of-settings.ts';
import type { Price } from './schema/price.ts';
import type { LoopSpec, RunSettings, ScmSpec } from './schema/run-settings.ts';
import { type CompleteSettings, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-file.ts';

/** What a loop is asked for besides its settings. */
export interface LoopRequest {
  readonly cwd: string;
  /** The text the agent gets: the task, or the spec as it was at the start. */
  readonly prompt: string;
  readonly spec: LoopSpec['spec'];
  /** The gates, including the witnesses. */
  readonly checks: readonly string[];
  readonly witnesses: readonly string[];
  /** `function`: the calling program provides it. */
  readonly agent: NamedAgent | 'function';
}

/** How much of a red check's output the next prompt contains (seed 004). */
const OUTPUT_CHARS = 2000;

/** The settings a loop is started with. Settings that only seed 001 has (guardrails, completionResponse, reviews, …) do not apply. */
export function loopSettings(settings: CompleteSettings, request: LoopRequest): RunSettings {
  const { loop } = settings;
  return {
    recipe: 'loop',
    prompt: { from: 'text', text: request.prompt },
    agent: request.agent === 'function' ? functionAgent(loop) : agentOf(request.agent),
    claims: [{ kind: 'tag', word: loop.completionTag }],
    gates: request.checks.map((command) => ({ command, failAction: 'APPEND', hint: null, timeoutMs: ms(loop.checkTimeout) })),
    outputTruncateChars: OUTPUT_CHARS,
    includeIterationCount: false,
    maximumIterations: loop.maxIterations,
    lanes: 1,
    streamAgentOutput: settings.streamAgentOutput,
    onAgentError: settings.onAgentError,
    requireChange: false,
    limits: limitsOf(settings),
    scm: scmOf(settings),
    reviews: null,
    loop: loopSpec(settings, request),
    supervise: null,
    work: null,
    stories: null,
    protect: protectedPatterns('protect', settings.protect),
    ...proofOf(settings, request.cwd),
    wall: sandboxOf(settings, request.cwd),
    console: settings.console,
  };
}

/** A worktree always commits, because its work would be lost otherwise. */
function scmOf({ loop }: CompleteSettings): ScmSpec | null {
  if (!loop.commit && !loop.worktree) return null;
  return { command: 'git', tasks: ['commit'], timeoutMs: ms(OPTIONAL_GROUP_DEFAULTS.scm.timeout), message: 'generated' };
}

function loopSpec({ loop, prices = {} }: CompleteSettings, { spec, witnesses }: LoopRequest): LoopSpec {
  return {
    spec,
    requireTag: loop.requireTag,
    budget: { costUsd: loop.maxCost ?? null, timeMs: ms(loop.maxTime ?? 0) },
    prices: pricesIn(prices),
    baseline: loop.baseline,
    flakyRetries: loop.flakyRetries,
    parallelChecks: loop.parallelChecks,
    witnesses: [...witnesses],
    protect: protectedPatterns('loop.protect', loop.protect),
    verifyClean: loop.verify === 'clean',
    worktree: null,
  };
}

/** The prices in the settings, completed with defaults. */
export function pricesIn(prices: CompleteSettings['prices'] = {}): LoopSpec['prices'] {
  return Object.fromEntries(Object.entries(prices).map(([model, price]) => [model, priceOf(price)]));
}

type SaidPrice = NonNullable<CompleteSettings['prices']>[string];

const priceOf = ({ input, output, cacheRead = input, cacheWrite = input }: SaidPrice): Price => ({ input, cacheRead, cacheWrite, output });
