import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { OVERLOADED } from '../../limits/retry-policy.ts';
import { WHOLE_RUN } from '../../report/history/figures.ts';
import type { RunHistory } from '../../report/history/run-history.ts';
import type { WatchedRun } from '../../watch/view/watched-run.ts';
import type { Bar, RunRow, Tick, Wait } from './page.ts';
import { verdictOf } from './shown.ts';
import { timeScale } from './time-scale.ts';

/** What happened inside of one iteration, on its time line. */
interface Marks {
  readonly ticks: Tick[];
  readonly waits: OpenWait[];
  asks: boolean;
}

interface OpenWait {
  readonly from: number;
  to: number | null;
  readonly why: string;
}

/** Adds to a history what only a time line needs: when gates judged, and when a run waited. */
export interface BarsFold {
  add(event: JournalEvent): void;
  /** Those of the last iterations. */
  bars(history: RunHistory, most: number): readonly Bar[];
}

/** More bars do not fit on a screen. */
export const MOST_BARS = 500;
const MOST_TICKS = 20;
const LEAST_WAIT_MS = 500;

export function openBars(): BarsFold {
  const marks = new Map<number, Marks>();
  const open = new Set<number>();

  const of = (iteration: number): Marks => {
    const known = marks.get(iteration) ?? { ticks: [], waits: [], asks: false };
    marks.set(iteration, known);
    return known;
  };
  const endWaits = (iterations: Iterable<number>, at: number) => {
    for (const iteration of iterations) {
      const { waits } = of(iteration);
      for (const wait of waits) wait.to ??= at;
      // What goes on at once has not waited.
      waits.splice(0, waits.length, ...waits.filter(({ from, to }) => (to ?? at) - from >= LEAST_WAIT_MS));
    }
  };
  const close = (iteration: number, at: number) => {
    endWaits([iteration], at);
    open.delete(iteration);
    marks.delete(iteration - MOST_BARS);
  };

  return {
    add({ body, at }) {
      if (body.type === 'iteration.opened') open.add(body.iteration);
      if (body.type === 'question.asked' && body.question.kind !== 'held') of(body.iteration).asks = true;
      const tick = tickOf(body, at);
      if (tick !== null) pushTick(of(tick.iteration).ticks, tick.tick);
      endWaits(goesOn(body, open), at);
      for (const { iteration, why } of waitsBegunBy(body, open)) of(iteration).waits.push({ from: at, to: null, why });
      if (body.type === 'iteration.closed') close(body.iteration, at);
    },
    bars: (history, most) => history.iterations.slice(-most).map((record) => barOf(record, marks.get(record.iteration), history)),
  };
}

/** The iterations that wait no longer. */
function goesOn(body: EventBody, open: ReadonlySet<number>): Iterable<number> {
  if (body.type === 'effect.begun') return 'iteration' in body.effect ? [body.effect.iteration] : [];
  return body.type === 'operator.asked' && body.what === 'go-on' ? open : [];
}

function pushTick(ticks: Tick[], tick: Tick): void {
  ticks.push(tick);
  if (ticks.length > MOST_TICKS) ticks.shift();
}

function tickOf(body: EventBody, at: number): { readonly iteration: number; readonly tick: Tick } | null {
  if (body.type === 'gates.judged' && body.where !== 'start')
    return { iteration: body.iteration, tick: { at, green: body.results.every(({ green }) => green), what: 'gates' } };
  if (body.type === 'proof.judged') return { iteration: body.iteration, tick: { at, green: body.verdict === 'proven', what: 'proof' } };
  if (body.type === 'merge.judged' && body.result !== 'moved')
    return { iteration: body.iteration, tick: { at, green: body.result === 'merged', what: 'merge' } };
  return null;
}

/** A limit, or the pause before a retry, holds one iteration up; a pause of the operator all that are open. */
function waitsBegunBy(body: EventBody, open: ReadonlySet<number>): readonly { readonly iteration: number; readonly why: string }[] {
  if (body.type === 'attempt.ended' && body.verdict !== 'ok') return [{ iteration: body.iteration, why: whyWaits(body) }];
  if (body.type === 'operator.asked' && body.what === 'pause') return [...open].map((iteration) => ({ iteration, why: 'paused' }));
  return [];
}

function whyWaits({ verdict, limit_window }: AttemptEnded): string {
  if (verdict !== 'limited') return 'before a retry';
  return limit_window === OVERLOADED ? 'the provider cannot answer' : 'usage limit';
}

/** Nobody works on what was open when the process of a run was gone. */
export function withoutTheDead(bars: readonly Bar[], standing: WatchedRun['standing'], lastMs: number): readonly Bar[] {
  return standing === 'dead' ? bars.map((bar) => (bar.to === null ? { ...bar, to: lastMs, result: 'abandoned' } : bar)) : bars;
}

const ROW_WIDTH = 1000;

/** An open bar lasts until `endMs`. */
export function rowOf(bars: readonly Bar[], endMs: number): RunRow {
  const toOf = ({ from, to }: Bar) => to ?? Math.max(from, endMs);
  const { place } = timeScale(bars.map((bar) => ({ from: bar.from, to: toOf(bar) })));
  const workers = [...new Set(bars.map(({ worker }) => worker))].sort((one, other) => one - other);
  const paths: { [verdict: string]: string } = {};
  for (const bar of bars) {
    const [left, right] = [bar.from, toOf(bar)].map((ms) => Math.round(ROW_WIDTH * place(ms)));
    const line = `M${left} ${workers.indexOf(bar.worker)}.5h${Math.max(1, (right ?? 0) - (left ?? 0) - 1)}`;
    paths[verdictOf(bar)] = `${paths[verdictOf(bar)] ?? ''}${line}`;
  }
  return { workers: workers.length, paths };
}

type Record = RunHistory['iterations'][number];

function barOf({ iteration, worker, item, openedAtMs, closedAtMs, result, accepted }: Record, found: Marks | undefined, history: RunHistory): Bar {
  const waits: readonly Wait[] = found?.waits ?? [];
  return {
    ...{ iteration, worker, task: item === WHOLE_RUN ? null : item, from: openedAtMs, to: closedAtMs, result },
    ...{ proven: accepted && result === 'green' && isChecked(item, history), asks: found?.asks === true, ticks: found?.ticks ?? [], waits },
  };
}

/** What nothing was configured to prove is green, and no more. */
function isChecked(item: string, { figures, state }: RunHistory): boolean {
  return item === WHOLE_RUN ? state.stopped?.unproven !== true : !figures.unchecked.has(item);
}
