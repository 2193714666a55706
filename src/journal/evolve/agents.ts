import { ableAgents, agentToAsk } from '../../limits/agents.ts';
import { limitWaitMs } from '../../limits/retry-policy.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { AgentClock, WindowPace } from '../state/limit-clock.ts';
import type { RunState } from '../state/state.ts';

const FREE: AgentClock = { untilMs: 0, strikes: 0, window: null };

/** Where another agent can go on, an agent that only a person can help does not end the run: its attempt is repeated by the other. */
export function passedOn(state: RunState, ended: AttemptEnded): AttemptEnded {
  const isItsOwnFault = ended.verdict === 'fatal' && ended.exit_code_if_fatal === 4;
  return isItsOwnFault && othersOf(state, ended.agent).length > 0 ? { ...ended, verdict: 'limited' } : ended;
}

function othersOf(state: RunState, agent: string | undefined): readonly string[] {
  if (agent === undefined || state.run === null) return [];
  return ableAgents(state, state.run.settings).filter((name) => name !== agent);
}

/** This agent cannot work any more. Null: no other can, so that the run has to end. */
export function withoutAgent(state: RunState, agent: string | undefined, why: string): RunState | null {
  if (agent === undefined || othersOf(state, agent).length === 0) return null;
  return { ...state, agents: { ...state.agents, [agent]: { ...FREE, broken: why } } };
}

/** One of several agents is limited or cannot work. The run waits only if no other is free. */
export function afterLimitOfOne(state: RunState, ended: AttemptEnded, agent: string, atMs: number): RunState {
  const next = ended.verdict === 'fatal' ? (withoutAgent(state, agent, ended.why) ?? state) : withClock(state, agent, clockAfter(state, ended, agent, atMs));
  const open = next.open.find(({ number }) => number === ended.iteration);
  const free = next.run && agentToAsk(open, { state: next, settings: next.run.settings, nowMs: atMs });
  const { waitedMs } = state.limit;
  if (!free || free.untilMs <= atMs) return { ...next, limit: { ...FREE, waitedMs } };
  const { strikes = 1, window = null } = next.agents?.[free.name] ?? {};
  const waitMs = Math.max(0, free.untilMs - Math.max(atMs, state.limit.untilMs));
  return { ...next, limit: { untilMs: free.untilMs, strikes, window, waitedMs: waitedMs + waitMs } };
}

function clockAfter(state: RunState, ended: AttemptEnded, agent: string, atMs: number): AgentClock {
  const strikes = (state.agents?.[agent]?.strikes ?? 0) + 1;
  return { untilMs: untilMsAfter(ended, strikes, atMs), strikes, window: ended.limit_window };
}

/** When an agent may be asked again after its nth limit in a row. */
export function untilMsAfter({ limit_resets_at, limit_jitter_ms = 0 }: AttemptEnded, strikes: number, atMs: number): number {
  return atMs + limitWaitMs(strikes, limit_resets_at === null ? null : limit_resets_at - atMs) + limit_jitter_ms;
}

const withClock = (state: RunState, agent: string, clock: AgentClock): RunState => ({ ...state, agents: { ...state.agents, [agent]: clock } });

/** An attempt that was begun after a limit and ends in any other way clears it. One that ends before the wait does was begun before the limit. */
export function afterAnswerOf(state: RunState, agent: string | undefined, atMs: number): RunState {
  const clock = agent === undefined ? undefined : state.agents?.[agent];
  const next = agent !== undefined && clock !== undefined && isOver(clock, atMs) ? withClock(state, agent, FREE) : state;
  return isOver(next.limit, atMs) ? { ...next, limit: { ...FREE, waitedMs: next.limit.waitedMs } } : next;
}

const isOver = ({ strikes, untilMs }: Pick<AgentClock, 'strikes' | 'untilMs'>, atMs: number) => strikes > 0 && atMs >= untilMs;

const MOST_WINDOWS = 20;

/** Measures from the first word on a window, and anew after its reset. */
export function afterWindows(state: RunState, { windows = [], agent = '' }: AttemptEnded, atMs: number): RunState {
  if (windows.length === 0) return state;
  const { done } = state.tasks.counts;
  const paces = windows.map(({ window, used, resets_at: resetsAtMs }): [string, WindowPace] => {
    const name = `${agent} ${window}`;
    const before = state.windows?.[name];
    const isSame = before?.resetsAtMs === resetsAtMs;
    const since = isSame ? before.since : { used, atMs, done };
    // Of two workers, the one that ends later may have heard it earlier.
    return [name, { window, used: isSame ? Math.max(used, before.used) : used, resetsAtMs, atMs, done, since }];
  });
  return { ...state, windows: Object.fromEntries([...Object.entries(state.windows ?? {}), ...paces].slice(-MOST_WINDOWS)) };
}

/** A person may have helped the agents that could not work. */
export function afterAgentsResumed(state: RunState): RunState {
  if (state.agents === undefined) return state;
  const able = Object.entries(state.agents).map(([name, { broken: _, ...clock }]) => [name, clock] as const);
  return { ...state, agents: Object.fromEntries(able) };
}
