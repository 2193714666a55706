import type { Decision } from '../../src/engine/decide/recipe.ts';
import type { Effect, RunAgent } from '../../src/journal/effects/effect.ts';
import { type EventBody, JOURNAL_VERSION, type JournalEvent } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../src/journal/state/state.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import { work } from '../../src/recipes/work/work.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { runStarted } from './given.ts';
import { playOut } from './play-out.ts';
import { factOf, found, type PretendPlan, provenBefore, type Turn } from './pretend-plan.ts';
import { ended } from './run-events.ts';

interface Script {
  readonly settings: RunSettings;
  readonly plan: PretendPlan;
  /** By task and by how often an agent was asked for it before. */
  readonly turn?: (task: string, nth: number, role: RunAgent['role']) => Turn;
  /** Told once the journal has so many lines. */
  readonly news?: ReadonlyMap<number, EventBody>;
  /** The journal so far, for a run that is resumed. */
  readonly past?: readonly JournalEvent[];
  /** The loop is killed once its journal has so many lines. */
  readonly killedAt?: number;
}

export interface Played {
  readonly outcome: Outcome | null;
  readonly events: readonly JournalEvent[];
  readonly state: RunState;
  /** The greatest number of agents at work at once. */
  readonly most: number;
}

/** Plays a crew without any world: each effect lands as soon as nothing more is asked for, agents last and the oldest first. */
export function playWork(script: Script): Played {
  const { settings, killedAt = Number.POSITIVE_INFINITY } = script;
  const play = openPlay(script);
  play.begin();
  const outcome = playOut(work, settings, play, killedAt);
  return { outcome, ...play.now() };
}

/** Who puts anything to the proof knows the tree it began with. */
function startOf(settings: RunSettings): EventBody {
  const found = { tree: 'start', head: null, dirty: [], dirty_count: 0, problem: null };
  return { ...runStarted(settings), found: settings.proof === undefined ? null : found };
}

function openPlay({ settings, plan, turn, news, past = [] }: Script) {
  const events: JournalEvent[] = [...past];
  const asked = new Map<string, number>();
  let state = events.reduce(evolve, emptyState);
  let nowMs = events.at(-1)?.at ?? 0;
  let most = 0;

  function record(body: EventBody): void {
    const event = { v: JOURNAL_VERSION, seq: events.length + 1, at: nowMs, body };
    events.push(event);
    state = evolve(state, event);
    const told = news?.get(events.length);
    if (told) record(told);
  }

  const turnOf = (task: string, role: RunAgent['role']) => turn?.(task, asked.get(`${task} ${role}`) ?? 1, role) ?? {};
  const handOf = ({ iteration }: Effect) => state.open.find(({ number }) => number === iteration)?.currentTask ?? null;

  function runAgent(effect: RunAgent): void {
    const hand = handOf(effect);
    const id = hand?.task.id ?? '';
    asked.set(`${id} ${effect.role}`, (asked.get(`${id} ${effect.role}`) ?? 0) + 1);
    const { claims, ended: ending } = turnOf(id, effect.role);
    if (hand && claims !== false && effect.role === 'work') record({ type: 'task.claimed', task: id, n: hand.n, by: 'agent' });
    record(ended(effect.iteration, { key: effect.key, attempt: effect.attempt, role: effect.role, ...ending }));
  }

  function land(effect: Effect): void {
    most = Math.max(most, state.inFlight.filter(({ kind }) => kind === 'run-agent').length);
    nowMs += 1_000;
    if (effect.kind === 'run-agent') runAgent(effect);
    else landOther(effect);
  }

  function landOther(effect: Exclude<Effect, RunAgent>): void {
    const hand = handOf(effect);
    const turnNow = turnOf(hand?.task.id ?? '', hand?.resolves ? 'resolve' : 'work');
    const proven = effect.kind === 'merge' ? provenBefore(effect, turnNow) : null;
    if (proven !== null) record(proven);
    record(factOf(effect, plan, { turn: turnNow, settings, nowMs }));
  }

  return {
    events,
    record,
    nowMs: () => nowMs,
    now: () => ({ events, state, most }),
    begin() {
      if (past.length === 0) {
        record(startOf(settings));
        return;
      }
      for (const [id, { register }] of plan.registers) if (register.state === 'held') plan.dead.add(id);
      record({ type: 'run.resumed', ralph: 'test', writer: { host: 'h', boot_id: 'b', pid: 2, start_time: '2' } });
      for (const effect of [...state.inFlight]) record(found(effect, plan) ?? { type: 'effect.lost', key: effect.key });
    },
    /** One thing at a time: what is to be said or begun, else what is in flight, else the next alarm. */
    obey(decisions: readonly Decision[]) {
      const next = decisions.find((decision) => decision.kind === 'say' || decision.kind === 'do');
      const inFlight = state.inFlight.find(({ kind }) => kind !== 'run-agent') ?? state.inFlight[0];
      if (next?.kind === 'say') record(next.event);
      else if (next?.kind === 'do') record({ type: 'effect.begun', key: next.effect.key, effect: next.effect });
      else if (inFlight) land(inFlight);
      else nowMs = Math.min(...decisions.map((decision) => (decision.kind === 'wait' ? decision.untilMs : Number.POSITIVE_INFINITY)));
    },
  };
}
