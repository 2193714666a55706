import { openScope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { budgetOfFleet, setFleetBudget } from '../../store/postgres/budget.ts';
import { budgetView } from '../fleet-view.ts';
import { type FleetFlags, fleetHere, print } from './fleet-here.ts';

const NO_LIMIT = 'none';

export async function budgetCommand(amount: string | undefined, { store, json = false }: FleetFlags): Promise<number> {
  const limitUsd = amount === undefined ? null : amountIn(amount);
  await using scope = openScope();
  const { database, fleet } = await fleetHere(store, scope);
  if (amount !== undefined) await setFleetBudget(database, fleet.id, limitUsd);
  const budget = budgetView(await budgetOfFleet(database, fleet.id));
  print(json, { fleet: fleet.name, ...budget }, [budgetLine(budget)]);
  return 0;
}

function amountIn(text: string): number | null {
  if (text === NO_LIMIT) return null;
  const usd = /^\d{1,9}(?:\.\d{1,4})?$/.test(text) ? Number(text) : 0;
  if (usd >= SMALLEST_USD) return usd;
  throw new OperatorError('usage', `a budget is an amount of US dollars, or ${NO_LIMIT}, not ${text}`, {
    hint: 'For example: ralph fleet budget 50',
    exitCode: 2,
  });
}

/** Agents know no smaller limit. */
const SMALLEST_USD = 0.01;

export function budgetLine({ limit_usd, spent_usd, reserved_usd }: FleetView['budget']): string {
  const spent = `$${spent_usd.toFixed(2)} spent`;
  if (limit_usd === null) return `Budget: no limit, ${spent}`;
  return `Budget: $${limit_usd.toFixed(2)}, ${spent}, $${reserved_usd.toFixed(2)} reserved by attempts that run`;
}
