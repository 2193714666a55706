import type { Decision, Recipe, Stop, View } from './recipe.ts';

/**
 * What to do now. Stops are asked first. Each open iteration with nothing in flight gets the first step that answers. Starts are asked if no stop spoke, for each
 * free lane; ends if one did and nothing is open. The stop itself is the answer only when all else is silent. Errands are run beside all of it, unless
 * the stop is for now.
 */
export function decide(recipe: Recipe, view: View): readonly Decision[] {
  const stop = firstAnswer(recipe.stops, (rule) => rule(view));
  const going = [...(stop?.now ? cancelAll(view, stop) : errandsOf(recipe, view)), ...nextSteps(recipe, view)];
  if (stop) return isOver(view) && going.length === 0 ? [firstAnswer(recipe.ends, (rule) => rule(stop, view)) ?? stop] : going;
  const start = startBeside(recipe, view);
  return start ? [...going, start] : going;
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

/** While something of the run as a whole is under way no iteration is opened, unless it has taken longer than it is given alone. */
function startBeside(recipe: Recipe, view: View): Decision | null {
  const alone = view.state.inFlight
    .filter(({ iteration }) => iteration === 0)
    .map((effect) => ('alone_until' in effect ? (effect.alone_until ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY));
  const untilMs = Math.max(...alone);
  if (untilMs <= view.nowMs) return startOf(recipe, view);
  return Number.isFinite(untilMs) ? { kind: 'wait', untilMs } : null;
}

/** The lowest seat nobody sits in for which there is something to do; else when there may be. */
function startOf(recipe: Recipe, view: View): Decision | null {
  const waits: Extract<Decision, { kind: 'wait' }>[] = [];
  for (const lane of freeLanes(view)) {
    const answer = firstAnswer(recipe.starts, (rule) => rule(lane, view));
    if (answer?.kind === 'wait') waits.push(answer);
    else if (answer) return answer;
  }
  return waits.sort((one, other) => one.untilMs - other.untilMs)[0] ?? null;
}

function freeLanes({ state, settings }: View): readonly number[] {
  const taken = new Set(state.open.map((iteration) => iteration.lane));
  return Array.from({ length: settings.lanes }, (_, index) => index + 1).filter((lane) => !taken.has(lane));
}

function firstAnswer<R, A>(rules: readonly R[], ask: (rule: R) => A | null): A | null {
  for (const rule of rules) {
    const answer = ask(rule);
    if (answer !== null) return answer;
  }
  return null;
}
