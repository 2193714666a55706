import { isAbsolute } from 'node:path';
import { parseDuration } from '../kit/pure/amounts.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { pathOf } from './sandbox-of-settings.ts';
import type { Price } from './schema/price.ts';
import { SHUTDOWN_GRACE } from './schema/rows/groups.ts';
import { valuesInRun } from './schema/rows/in-run.ts';
import { LIMITS } from './schema/rows/limits.ts';
import type { LoopSpec, RunLimits, RunSettings } from './schema/run-settings.ts';
import type { CompleteSettings } from './schema/settings-defaults.ts';

/** How often a failed attempt is retried in the same iteration. */
const REPEATS = 3;

export function limitsOf(said: CompleteSettings): RunLimits {
  return { ...valuesInRun(LIMITS, said), repeats: REPEATS, graceMs: valuesInRun(SHUTDOWN_GRACE, said.shutdownGrace) };
}

export function dayBudgetOf({ maxCostPerDay }: CompleteSettings): Pick<RunSettings, 'maxCostPerDay'> {
  return maxCostPerDay === undefined ? {} : { maxCostPerDay };
}

/** The money of a recipe whose spec has no budget. */
export function moneyOf(said: CompleteSettings): Pick<RunSettings, 'maxCostPerDay' | 'prices' | 'budget'> {
  const { maxCost, prices } = said;
  return {
    ...dayBudgetOf(said),
    ...(prices !== undefined && { prices: pricesIn(prices) }),
    ...(maxCost !== undefined && { budget: { costUsd: maxCost, timeMs: 0 } }),
  };
}

/** The prices in the settings, completed with defaults. */
export function pricesIn(prices: CompleteSettings['prices'] = {}): LoopSpec['prices'] {
  return Object.fromEntries(Object.entries(prices).map(([model, price]) => [model, priceOf(price)]));
}

type SaidPrice = NonNullable<CompleteSettings['prices']>[string];

const priceOf = ({ input, output, cacheRead = input, cacheWrite = input }: SaidPrice): Price => ({ input, cacheRead, cacheWrite, output });

/** Ralph checks that gates are alive unless the operator lowers the level. */
export function proofOf({ proof: { level, mayChange, canary, sealed } }: Pick<CompleteSettings, 'proof'>, cwd: string): Pick<RunSettings, 'proof'> {
  if (level === 'off') return {};
  if (level === 'sealed' && sealed === undefined) throw noSealedFolder();
  const before = canary && level !== 'green' ? 'living' : 'green';
  return {
    proof: { level: before, mayChange: protectedPatterns('proof.mayChange', mayChange), ...(sealed !== undefined && { sealed: pathOf(sealed, cwd) }) },
  };
}

function noSealedFolder(): OperatorError {
  const hint = 'Name it with --sealed, or with proof.sealed in the settings; ralph sealed new makes an example.';
  return new OperatorError('sealed-missing', 'the proof level "sealed" needs a folder with sealed checks', { hint, exitCode: 2 });
}

/** The schema has checked that it is a duration. */
export const ms = (value: string | number) => parseDuration(value) ?? 0;

/** Without duplicates. Patterns start at the top of the repository. Git would refuse one that leads out of it only after an agent has cost money. */
export function protectedPatterns(key: 'protect' | 'loop.protect' | 'proof.mayChange', patterns: readonly string[]): string[] {
  const outside = patterns.find((pattern) => isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..'));
  if (outside === undefined) return [...new Set(patterns)];
  throw new OperatorError('usage', `${key}: ${JSON.stringify(outside)} leads out of the repository`, {
    hint: 'Name paths from the top of the repository, such as "tests/**" or "package.json".',
    exitCode: 2,
  });
}
