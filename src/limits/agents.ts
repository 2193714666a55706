import type { View } from '../engine/decide/recipe.ts';
import type { OpenIteration, RunState } from '../journal/state/state.ts';
import { reviewAgentOf } from '../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import { iterationsPastHalf } from './stuck.ts';

/** The name by which the operator knows it. */
export const agentName = ({ name, command }: Pick<AgentSpec, 'name' | 'command'>): string => name ?? command;

/** All agents of a run that implement, the preferred one first. */
export const agentsIn = ({ agent, fallback = [] }: Pick<RunSettings, 'agent' | 'fallback'>): readonly AgentSpec[] => [agent, ...fallback];

/** The agent of an attempt; without a name the only one, or the preferred one. */
export function agentNamed(settings: Pick<RunSettings, 'agent' | 'fallback'>, name: string | undefined): AgentSpec {
  return agentsIn(settings).find((spec) => agentName(spec) === name) ?? settings.agent;
}

interface Asked {
  readonly role: string;
  readonly agent?: string | undefined;
}

/** Which agent an attempt was of: stories may have a reviewer of their own. */
export function agentOfAttempt(settings: RunSettings, { role, agent }: Asked): AgentSpec {
  return (role === 'review' ? reviewAgentOf(settings) : null) ?? agentNamed(settings, agent);
}

export const hasSeveralAgents = ({ fallback = [] }: Pick<RunSettings, 'fallback'>): boolean => fallback.length > 0;

interface FreeAgent {
  readonly name: string;
  /** The agent whose turn it would be, if there were any progress; absent: this one. */
  readonly insteadOf?: string;
  /** When it may be asked; 0: now. */
  readonly untilMs: number;
}

type Asking = Pick<OpenIteration, 'turn' | 'currentTask'>;

/**
 * The agent for the next attempt of an iteration: the first in the operator's order that may be asked now, else the one that is free soonest. Halfway to being
 * stuck, each iteration goes to the next one of the list. Nobody reviews a story of its own while another agent can. Null: the run has only one agent, the
 * story has a reviewer of its own, or no agent can work.
 */
export function agentToAsk(iteration: Asking | undefined, view: View): FreeAgent | null {
  const names = preferredFirst(candidates(iteration, view.state, view.settings), iteration, view.state);
  const usual = firstFree(names, view);
  const turns = names.length < 2 || iteration?.turn?.mode === 'review' ? 0 : iterationsPastHalf(standingOf(iteration, view)) % names.length;
  const other = turns === 0 ? usual : firstFree([...names.slice(turns), ...names.slice(0, turns)], view);
  return other === null || usual === null || other.name === usual.name ? usual : { ...other, insteadOf: usual.name };
}

/** A person may want another one than the operator's order has first. */
function preferredFirst(names: readonly string[], iteration: Asking | undefined, { preferredAgents: wanted = {} }: RunState): readonly string[] {
  const preferred = wanted[iteration?.currentTask?.task.id ?? iteration?.turn?.story ?? ''] ?? wanted[''];
  return preferred === undefined || !names.includes(preferred) ? names : [preferred, ...names.filter((name) => name !== preferred)];
}

function firstFree(names: readonly string[], { state, nowMs }: View): FreeAgent | null {
  const all = names.map((name) => ({ name, untilMs: state.agents?.[name]?.untilMs ?? 0 }));
  return all.find(({ untilMs }) => untilMs <= nowMs) ?? all.toSorted((one, other) => one.untilMs - other.untilMs)[0] ?? null;
}

/** The tries of a task of a plan are compared with each other. */
function standingOf(iteration: Asking | undefined, { state, settings }: View): Parameters<typeof iterationsPastHalf>[0] {
  const task = iteration?.currentTask?.task;
  if (!task) return { state, settings };
  const standstill = state.tasks.standstills?.[task.id];
  return { state: standstill === undefined ? {} : { standstill }, settings };
}

function candidates(iteration: Asking | undefined, state: RunState, settings: RunSettings): readonly string[] {
  if (!hasSeveralAgents(settings) || (iteration?.turn?.mode === 'review' && reviewAgentOf(settings) !== null)) return [];
  const able = ableAgents(state, settings);
  if (iteration?.turn?.mode !== 'review') return able;
  // If nobody of this run has worked on the story, the preferred agent has most likely done so in an earlier one.
  const author = state.stories.authors?.[iteration.turn.story] ?? agentName(settings.agent);
  const others = able.filter((name) => name !== author);
  return others.length > 0 ? others : able;
}

/** The agents that may work again without a person's help. */
export function ableAgents({ agents = {} }: Pick<RunState, 'agents'>, settings: RunSettings): readonly string[] {
  return agentsIn(settings)
    .map(agentName)
    .filter((name) => agents[name]?.broken === undefined);
}

/** The agent that goes on at once after an attempt of another one; null: the run waits, or has no other. */
export function takesOver(
  { iteration, agent }: { readonly iteration: number; readonly agent?: string | undefined },
  state: RunState,
  nowMs: number,
): string | null {
  if (agent === undefined || state.run === null || state.fatal !== null) return null;
  const open = state.open.find(({ number }) => number === iteration);
  const next = agentToAsk(open, { state, settings: state.run.settings, nowMs });
  return next === null || next.untilMs > nowMs || next.name === agent ? null : next.name;
}

/** When the next attempt of an iteration may begin. */
export function nextAskMs(iteration: OpenIteration, view: View): number {
  return Math.max(view.state.limit.untilMs, agentToAsk(iteration, view)?.untilMs ?? 0);
}
