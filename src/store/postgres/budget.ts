import type { BudgetAnswer, SharedBudget } from '../../engine/ports/quota.ts';
import type { Database, Query } from './open-database.ts';

interface BudgetOptions {
  readonly query: Query;
  readonly fleet: string;
  readonly run: string;
  readonly session: string;
  /** The session is over: nothing can be written any more. Throws. */
  readonly onOver: () => never;
}

/** The budget of a fleet, as one run sees it. A reservation counts as long as its session lives, so that nobody has to tidy up after a dead worker. */
export function openSharedBudget({ query, fleet, run, session, onOver }: BudgetOptions): SharedBudget {
  return {
    async reserve(attempt, wantedUsd): Promise<BudgetAnswer> {
      const [row] = await query('select * from ralph.reserve($1, $2, $3, $4, $5)', [fleet, session, run, attempt, wantedUsd]);
      if (row?.['answer'] === 'over') onOver();
      if (row?.['answer'] === 'granted') return { kind: 'granted', usd: row['usd'] === null ? null : Number(row['usd']) };
      return { kind: row?.['answer'] === 'spent' ? 'spent' : 'wait', limitUsd: Number(row?.['limit_usd']), spentUsd: Number(row?.['spent_usd']) };
    },
    async settle(attempt, usd) {
      const [row] = await query('select ralph.settle($1, $2, $3, $4, $5) as answer', [fleet, session, run, attempt, usd]);
      if (row?.['answer'] === 'over') onOver();
    },
  };
}

export interface FleetBudget {
  /** Null: there is no limit. */
  readonly limitUsd: number | null;
  /** Since the limit was set; without one: ever. */
  readonly spentUsd: number;
  readonly reservedUsd: number;
}

export async function budgetOfFleet(database: Database, fleet: string): Promise<FleetBudget> {
  const [row] = await database.query('select * from ralph.budget($1)', [fleet]);
  const limit = row?.['limit_usd'] ?? null;
  return { limitUsd: limit === null ? null : Number(limit), spentUsd: Number(row?.['spent_usd']), reservedUsd: Number(row?.['reserved_usd']) };
}

/** From now on. Null: without a limit. */
export async function setFleetBudget(database: Database, fleet: string, usd: number | null): Promise<void> {
  await database.query('update ralph.fleets set budget_usd = $2, budget_since = clock_timestamp() where id = $1', [fleet, usd]);
}
