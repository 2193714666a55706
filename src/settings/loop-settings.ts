import { claimsOf } from '../journal/words/claim.ts';
import { fallbackOf } from './agent-list.ts';
import { agentOf, functionAgent, type NamedAgent } from './agent-of.ts';
import { notifyOf } from './notify-of-settings.ts';
import { dayBudgetOf, limitsOf, ms, pricesIn, proofOf, protectedPatterns } from './run-limits.ts';
import { sandboxOf } from './sandbox-of-settings.ts';
import { CONSOLE } from './schema/rows/groups.ts';
import { valuesInRun } from './schema/rows/in-run.ts';
import { LOOP } from './schema/rows/loop.ts';
import { RUN } from './schema/rows/run.ts';
import type { GateSpec, LoopSpec, ScmSpec, SettingsWith } from './schema/run-settings.ts';
import { type CompleteSettings, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-defaults.ts';

/** What a loop is asked for besides its settings. */
export interface LoopRequest {
  readonly cwd: string;
  /** The text the agent gets: the task, or the spec as it was at the start. */
  readonly prompt: string;
  readonly spec: LoopSpec['spec'];
  /** The gates, including those of the witnesses. */
  readonly gates: readonly GateSpec[];
  readonly witnesses: readonly string[];
  /** The completion tag that the operator has chosen. */
  readonly tag: string | undefined;
  /** `function`: the calling program provides it. */
  readonly agent: NamedAgent | 'function';
}

/** How much of a red check's output the next prompt contains (seed 004). */
const OUTPUT_CHARS = 2000;

/** The settings a loop is started with. Settings that only seed 001 has (outputTruncateChars, reviews, …) do not apply. */
export function loopSettings(settings: CompleteSettings, request: LoopRequest): SettingsWith<'loop'> {
  const { loop } = settings;
  const agent = request.agent === 'function' ? functionAgent(loop) : agentOf(request.agent);
  return {
    recipe: 'loop',
    prompt: { from: 'text', text: request.prompt },
    agent,
    ...(request.agent !== 'function' && fallbackOf(request.agent.fallback ?? settings.agent.fallback, agent, settings.agents)),
    ...dayBudgetOf(settings),
    claims: claimsOf('loop', request.tag),
    gates: [...request.gates],
    outputTruncateChars: OUTPUT_CHARS,
    includeIterationCount: false,
    maximumIterations: loop.maxIterations,
    lanes: 1,
    ...valuesInRun(RUN, settings),
    requireChange: false,
    limits: limitsOf(settings),
    scm: scmOf(settings),
    reviews: null,
    loop: loopSpec(settings, request),
    protect: protectedPatterns('protect', settings.protect),
    ...proofOf(settings, request.cwd),
    wall: sandboxOf(settings, request.cwd),
    ...(!settings.preflight && { preflight: false }),
    console: valuesInRun(CONSOLE, settings.console),
    ...notifyOf(settings),
  };
}

/** A worktree always commits, because its work would be lost otherwise. What is dirty in it at the start is not the operator's. */
function scmOf({ loop, scm = {} }: CompleteSettings): ScmSpec | null {
  if (!loop.commit && !loop.worktree) return null;
  const { timeout, allowDirty: unsaid } = OPTIONAL_GROUP_DEFAULTS.scm;
  return { command: 'git', tasks: ['commit'], timeoutMs: ms(timeout), message: 'generated', allowDirty: loop.worktree || (scm.allowDirty ?? unsaid) };
}

function loopSpec({ loop, prices = {} }: CompleteSettings, { spec, witnesses }: LoopRequest): LoopSpec {
  return {
    spec,
    ...valuesInRun(LOOP, loop),
    budget: { costUsd: loop.maxCost ?? null, timeMs: ms(loop.maxTime ?? 0) },
    prices: pricesIn(prices),
    witnesses: [...witnesses],
    protect: protectedPatterns('loop.protect', loop.protect),
    verifyClean: loop.verify === 'clean',
    worktree: null,
  };
}
