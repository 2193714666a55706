import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import { type Line, span } from './line.ts';
import type { Change } from './look.ts';

/** With several lanes at work each line says whose it is. */
export function inLane(lines: readonly Line[], lane: number | null, { run }: RunState): readonly Line[] {
  if (lane === null || !run || run.settings.lanes === 1) return lines;
  const mark = span(`w${lane} `, 'dim');
  return lines.filter(({ spans }) => spans.length > 0).map((each) => ({ ...each, spans: [mark, ...each.spans] }));
}

/** Null: it is about the run as a whole. */
export function laneOfEvent(body: EventBody, change: Pick<Change, 'before' | 'state'>): number | null {
  if ('lane' in body) return body.lane;
  if (body.type === 'task.claimed' || body.type === 'task.lost') return laneOfTask(body.task, change.state);
  if ('attempt' in body && typeof body.attempt === 'string') return laneOfAttempt(body.attempt, change.state);
  const effect = effectOf(body, change.before);
  if (effect?.kind === 'take-task') return effect.lane;
  return laneOf(effect?.iteration ?? ('iteration' in body ? body.iteration : 0), change);
}

/** `<iteration>.<attempt>` */
export function laneOfAttempt(attempt: string, state: RunState): number | null {
  return laneOf(Number.parseInt(attempt, 10), { before: state, state });
}

function effectOf(body: EventBody, { inFlight }: RunState): Effect | undefined {
  if (body.type === 'effect.begun') return body.effect;
  return 'key' in body ? inFlight.find(({ key }) => key === body.key) : undefined;
}

/** One that has just been closed is open no more. */
function laneOf(iteration: number, { before, state }: Pick<Change, 'before' | 'state'>): number | null {
  return [...state.open, ...before.open].find(({ number }) => number === iteration)?.lane ?? null;
}

function laneOfTask(task: string, { open }: RunState): number | null {
  return open.find(({ hand }) => hand?.task.id === task)?.lane ?? null;
}
