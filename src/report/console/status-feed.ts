import { attemptId, type Effect, type RunAgent, type RunGates } from '../../journal/effects/effect.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { Progress } from '../../journal/progress.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { formatDuration, plural } from '../../kit/pure/amounts.ts';
import { agentName, agentNamed } from '../../limits/agents.ts';
import { lastIterationNumber } from '../../limits/retry-policy.ts';
import { isQuiet } from './effect-begun-lines.ts';
import { type Line, line, span } from './line.ts';
import { shorten } from './look.ts';
import type { RecipeStatus } from './recipe-screen.ts';
import { fineCostText } from './spent-text.ts';

/** What the loop is doing now, for the status line of a terminal. */
export interface StatusFeed {
  hear(event: JournalEvent, state: RunState): void;
  hearProgress(progress: Progress, nowMs: number): void;
  /** Null when there is nothing to show. */
  line(nowMs: number): Line | null;
}

interface Running {
  readonly what: string;
  readonly sinceMs: number;
}

const WHAT_CHARS = 60;

export function openStatusFeed(own: RecipeStatus): StatusFeed {
  const begunMs = new Map<string, number>();
  /** By attempt: checks may run in parallel, and then the newest is shown. */
  const gates = new Map<string, Running>();
  let state: RunState = emptyState;

  function running(effect: Effect): Running | null {
    const sinceMs = begunMs.get(effect.key);
    if (sinceMs === undefined) return null;
    if (effect.kind === 'run-gates') return gates.get(attemptId(effect)) ?? { what: gatesText(effect), sinceMs };
    const what = effectText(effect, state, own);
    return what === null ? null : { what, sinceMs };
  }

  return {
    hear({ body, at }, now) {
      state = now;
      if (body.type === 'effect.begun') begunMs.set(body.key, at);
      if (body.type === 'gates.judged') gates.delete(attemptId(body));
      if ('key' in body && body.type !== 'effect.begun') begunMs.delete(body.key);
    },
    hearProgress(progress, nowMs) {
      const { command } = progress.type === 'gate.started' ? progress.gate : progress.result.gate;
      const what = `check ${shorten(command, WHAT_CHARS)}`;
      if (progress.type === 'gate.started') gates.set(progress.attempt, { what, sinceMs: nowMs });
      else if (gates.get(progress.attempt)?.what === what) gates.delete(progress.attempt);
    },
    line(nowMs) {
      if (state.stopped) return null;
      const parts = own.parts(state, nowMs);
      if (parts !== undefined) return parts === null ? null : statusLine([...parts, ...spentText(state)]);
      const effect = state.inFlight.at(-1);
      const at = effect && running(effect);
      if (at) return statusLine([...iterationText(effect.iteration, state, own), at.what, elapsedText(nowMs - at.sinceMs), ...spentText(state)]);
      return effect ? null : restLine(state, nowMs, own);
    },
  };
}

/** The line when no effect is running: what the run waits for. */
function restLine(state: RunState, nowMs: number, own: RecipeStatus): Line | null {
  const rest = own.waitsFor(state);
  if (rest) return statusLine([rest.what, ...(rest.sinceMs === null ? [] : [elapsedText(nowMs - rest.sinceMs)]), ...spentText(state)]);
  const leftMs = state.limit.untilMs - nowMs;
  return leftMs <= 0 ? null : statusLine(['waiting for the usage limit', `${elapsedText(leftMs)} left`, ...spentText(state)]);
}

function statusLine(parts: readonly string[]): Line {
  return line(span(parts.join(' · '), 'dim'));
}

/** Whole seconds: the line is not rewritten more often. */
export function elapsedText(ms: number): string {
  return formatDuration(Math.floor(ms / 1000) * 1000);
}

function iterationText(iteration: number, state: RunState, own: RecipeStatus): readonly string[] {
  const words = own.iteration(iteration, state);
  if (words !== null) return words;
  const maximum = lastIterationNumber(state);
  if (iteration === 0) return ['before the first iteration'];
  return [`iteration ${iteration}${maximum === 0 ? '' : `/${maximum}`}`];
}

const gatesText = ({ gates }: RunGates) => plural(gates.length, 'check');

/** Null for an effect without a text. */
function effectText(effect: Exclude<Effect, RunGates>, state: RunState, own: RecipeStatus): string | null {
  if (isQuiet(effect)) return null;
  switch (effect.kind) {
    case 'run-agent':
      return own.agent(effect, state) ?? agentText(effect, shorten(state.run ? agentName(agentNamed(state.run.settings, effect.agent)) : '', WHAT_CHARS));
    case 'find-living':
      return 'finding the tests that the checks run';
    case 'prove':
      return 'proving the claim';
    case 'commit':
      return 'commit';
    case 'run-command':
      return shorten(effect.argv.join(' '), WHAT_CHARS);
    case 'start-child':
      return 'starting a child';
    case 'end-children':
      return effect.runs.length === 1 ? 'ending a child' : `ending ${effect.runs.length} children`;
    case 'open-workspace':
      return 'worktree';
    case 'merge':
      return 'merge';
  }
}

function agentText({ role, about }: RunAgent, agent: string): string {
  if (role === 'review') return `${agent} reviews: ${shorten(about, WHAT_CHARS)}`;
  if (role === 'resolve') return `${agent} resolves a conflict`;
  return role === 'message' ? `${agent} writes the commit message` : `${agent} works`;
}

function spentText({ spent }: RunState): readonly string[] {
  return spent.costUsd > 0 ? [`${fineCostText(spent.costUsd)} so far`] : [];
}
