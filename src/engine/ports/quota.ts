import type { AttemptCost } from '../../journal/state/spending.ts';

/** Whose limits an agent meets: one login of one provider. */
export interface AgentAccount {
  /** The agent, and a digest of what else tells its logins apart. Never a secret. */
  readonly name: string;
  /** The model it was told to use; null: its own choice. */
  readonly model: string | null;
  /** Whether the name means the same login on every machine; absent: each machine has a login of its own under that name. */
  readonly isEverywhere?: boolean;
}

/** What an agent said of one window of its account, such as `five_hour`. */
export interface WindowSign {
  readonly window: string;
  readonly status: 'allowed' | 'warning' | 'rejected';
  /** The used share, 1 for all of it; null: not told. */
  readonly used: number | null;
  readonly resetsAtMs: number | null;
}

export interface KnownLimit {
  readonly window: string;
  readonly untilMs: number;
  readonly seenAtMs: number;
}

/** What all runs of this machine have cost on one day. */
export interface DaySpending {
  /** The local date, such as 2026-11-18. */
  readonly date: string;
  readonly usd: number;
  /** Epoch ms at which the next day begins. */
  readonly endsAtMs: number;
}

export type BudgetAnswer =
  /** What the attempt may cost at most; null: nobody has set a limit. */
  | { readonly kind: 'granted'; readonly usd: number | null }
  /** spent: nothing is left. wait: others have reserved what is left. */
  | { readonly kind: 'spent' | 'wait'; readonly limitUsd: number; readonly spentUsd: number };

/** One budget for the workers of all machines. Each attempt reserves its share before it starts, and is settled once. */
export interface SharedBudget {
  reserve(attempt: string, wantedUsd: number | null): Promise<BudgetAnswer>;
  /** Null: nobody knows what it cost, and it counts as an expensive one. */
  settle(attempt: string, usd: number | null): Promise<void>;
}

/** What all runs of this machine know of accounts and costs. It only helps: nothing here ever rejects. */
export interface QuotaPort {
  /** Absent: no other machine spends the same money. */
  readonly budget?: SharedBudget;
  /** Null: as far as anybody knows, the account may be used. */
  limitOf(account: AgentAccount): Promise<KnownLimit | null>;
  /** Writes down what an attempt heard. `hasWorked`: the provider answered, so earlier limits of the account are over. */
  note(account: AgentAccount, signs: readonly WindowSign[], hasWorked: boolean): Promise<void>;
  spentToday(): Promise<DaySpending>;
  /** Adds the cost of an attempt once, however often it is called with the same key. */
  addCost(cost: AttemptCost): Promise<DaySpending>;
}
