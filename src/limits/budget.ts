import type { Price } from '../settings/schema/price.ts';
import type { Budget, RunSettings } from '../settings/schema/run-settings.ts';

/** What a whole run may take; none is told for recipes that have no such thing. */
export function budgetOf({ loop, work, stories }: RunSettings): Budget {
  return loop?.budget ?? work?.budget ?? stories?.budget ?? { costUsd: null, timeMs: 0 };
}

/** By the name of a model; null for recipes that have no use for them. */
export function pricesOf({ loop, work, stories }: RunSettings): Readonly<Record<string, Price>> | null {
  return loop?.prices ?? work?.prices ?? stories?.prices ?? null;
}
