import type { Decision, Recipe, Stop, View } from './recipe.ts';

/**
 * What to do now. Stops are asked first. Each open iteration with nothing in flight gets the first step that answers. Without a stop, starts are asked for each
 * free worker; with a stop, ends are asked once nothing is open. The stop itself is returned only when no other rule answers. Errands are always asked, except
 * when the stop says `now`.
 */
export function decide(recipe: Recipe, view: View): readonly Decision[] {
  const stop = firstAnswer(recipe.stops, (rule) => rule(view));
  const ongoing = [...(stop?.now ? cancelAll(view, stop) : errandsOf(recipe, view)), ...nextSteps(recipe, view)];
  if (stop) return isOver(view) && ongoing.length === 0 ? [firstAnswer(recipe.ends, (rule) => rule(stop, view)) ?? stop] : ongoing;
  const start = startUnlessBusy(recipe, view);
  return start ? [...ongoing, start] : ongoing;
}

function errandsOf(recipe: Recipe, view: View): Decision[] {
  return recipe.errands.map((rule) => rule(view)).filter((decision) => decision !== null);
}

function nextSteps(recipe: Recipe, view: View): Decision[] {
  const busy = new Set(view.state.inFlight.map((effect) => effect.iteration));
  return view.state.open
    .filter((iteration) => !busy.has(iteration.number))
    .map((iteration) => firstAnswer(recipe.steps, (rule) => rule(iteration, view)))
    .filter((decision) => decision !== null);
}

function cancelAll({ state }: View, stop: Stop): Decision[] {
  return state.inFlight.map((effect) => ({ kind: 'cancel', key: effect.key, cause: stop.outcome.message }));
}

function isOver({ state }: View): boolean {
  return state.open.length === 0 && state.inFlight.length === 0;
}

/** While an effect of the run as a whole (iteration 0) is in flight, no iteration is opened before its `alone_until`. */
function startUnlessBusy(recipe: Recipe, view: View): Decision | null {
  const alone = view.state.inFlight
    .filter(({ iteration }) => iteration === 0)
    .map((effect) => ('alone_until' in effect ? (effect.alone_until ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY));
  const untilMs = Math.max(...alone);
  if (untilMs <= view.nowMs) return startForFreeWorker(recipe, view);
  return Number.isFinite(untilMs) ? { kind: 'wait', untilMs } : null;
}

/** Asks the start rules for each free worker, lowest number first. Returns the first answer that is not a wait, else the earliest wait. */
function startForFreeWorker(recipe: Recipe, view: View): Decision | null {
  const waits: Extract<Decision, { kind: 'wait' }>[] = [];
  for (const worker of freeWorkers(view)) {
    const answer = firstAnswer(recipe.starts, (rule) => rule(worker, view));
    if (answer?.kind === 'wait') waits.push(answer);
    else if (answer) return answer;
  }
  return waits.sort((one, other) => one.untilMs - other.untilMs)[0] ?? null;
}

function freeWorkers({ state, settings }: View): readonly number[] {
  const taken = new Set(state.open.map((iteration) => iteration.worker));
  return Array.from({ length: settings.lanes }, (_, index) => index + 1).filter((worker) => !taken.has(worker));
}

function firstAnswer<R, A>(rules: readonly R[], ask: (rule: R) => A | null): A | null {
  for (const rule of rules) {
    const answer = ask(rule);
    if (answer !== null) return answer;
  }
  return null;
}
