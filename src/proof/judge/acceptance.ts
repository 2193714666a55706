import type { View } from '../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { Claim } from '../../journal/words/claim.ts';
import { factsOf, requiredTagOf, verifiesClean } from '../../settings/schema/recipe-facts.ts';

/**
 * Whether the gates are green, nothing was reverted, and a clean copy, if there was one, is green too. A held iteration is green: only its claim does not
 * count.
 */
export function isGreen({ last, judged, restored, verified, proved }: OpenIteration): boolean {
  const isRefuted = verified?.green === false || (proved !== null && ['red', 'dead', 'sealed'].includes(proved.verdict));
  return last?.verdict === 'ok' && judged?.green === true && restored.length === 0 && !isRefuted;
}

/** Whether claims of a run or loop are proven. Without a tree from the start, nobody could tell what was changed. */
export function provesClaims({ state, settings }: View): boolean {
  if (!factsOf(settings).provesClaims) return false;
  return settings.proof !== undefined && settings.gates.some(({ proof }) => proof !== 'off') && state.startTree !== null;
}

/** An agent that asks a person does not say that it is done. */
export function isDoneClaim({ by }: Claim): boolean {
  return by !== 'blocked' && by !== 'question';
}

/** Whether this iteration claims that all is done, or the operator's settings count it as a claim. */
function saysDone(iteration: OpenIteration, { state, settings }: View): boolean {
  if (iteration.last?.claim) return isDoneClaim(iteration.last.claim);
  switch (requiredTagOf(settings)) {
    case 'never':
      return true;
    case 'auto':
      return state.closed.at(-1)?.result === 'green';
    case 'always':
    case null:
      return false;
  }
}

/** Done and proven, as far as it was checked. */
export function isAcceptable(iteration: OpenIteration, view: View): boolean {
  const changed = iteration.judged?.changed ?? null;
  return isGreen(iteration) && saysDone(iteration, view) && canBeVerified(iteration, view) && (changed === true || !view.settings.requireChange);
}

/** What git cannot name cannot be checked out: an agent that broke the repository must not avoid the fresh checkout. */
function canBeVerified({ judged }: OpenIteration, view: View): boolean {
  const { wall, proof } = view.settings;
  return judged?.tree != null || !(verifiesClean(view.settings) || (provesClaims(view) && (wall.workspace === 'isolated' || proof?.sealed !== undefined)));
}

const MOST_PATHS = 20;

/** The feedback for an agent whose changes were reverted. */
export function protectedWords(paths: readonly string[]): string {
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${PUT_BACK}: ${paths.slice(0, MOST_PATHS).join(', ')}${more}. Leave these paths alone and solve the task without them.`;
}

export const isAboutProtected = (message: string) => message.startsWith(PUT_BACK);

const PUT_BACK = 'You changed what is protected, and it was put back';
