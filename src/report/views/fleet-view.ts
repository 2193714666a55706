/** What waits for a person. */
export interface LeftTask {
  readonly task: string;
  readonly state: string;
  /** What its agent asks; null: nothing. */
  readonly question: string | null;
  /** The files that a person has to allow. */
  readonly changed: readonly string[];
  /** What its last holder has left for the next. */
  readonly feedback: string;
}

/** A fleet as its store alone knows it, in the spelling of `--json`: seen without a clone, so without the tasks that nobody has begun. */
export interface FleetView {
  readonly fleet: string;
  readonly mode: 'running' | 'paused' | 'draining';
  readonly store: string;
  /** No limit: null. */
  readonly budget: { readonly limit_usd: number | null; readonly spent_usd: number; readonly reserved_usd: number };
  readonly at_work: number;
  /** Those at work, and those lost in the last hour: 100 at most. */
  readonly workers: readonly WorkerView[];
  readonly plans: readonly {
    readonly plan: string;
    readonly base: string;
    /** How many of the begun tasks are in each state. */
    readonly counts: Readonly<Record<string, number>>;
    /** Who has the merge seat; null: nobody. */
    readonly merging: HolderView | null;
    readonly held: readonly ({ readonly task: string } & HolderView)[];
    readonly left: readonly LeftTask[];
  }[];
}

interface WorkerView {
  readonly run: string;
  readonly host: string;
  readonly state: 'working' | 'ended' | 'lost';
  readonly plan?: string | undefined;
  readonly workers?: number | undefined;
  readonly agent?: string | undefined;
  /** Absent: an older Ralph, which asks for none. */
  readonly labels?: readonly string[] | undefined;
  readonly started_at: string;
  /** For how long it has been lost, or has ended. */
  readonly silent_ms: number;
}

export interface HolderView {
  readonly holder: string | null;
  readonly host: string | null;
  readonly alive: boolean;
}
