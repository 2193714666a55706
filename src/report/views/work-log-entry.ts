/** What a line of the log is about (seed 000). */
export type LogAction = 'loop_started' | 'started' | 'completed' | 'failed' | 'rate_limited' | 'finished' | 'blocked' | 'interrupted' | 'error' | 'skipped';

/** One line of `logs/ralph.jsonl`: the fields of seed 000, then ours. */
export interface WorkLogEntry {
  readonly timestamp: string;
  /** 0: before the first. */
  readonly iteration: number;
  readonly task_id: string | null;
  readonly action: LogAction;
  readonly duration_seconds: number;
  readonly exit_code: number | null;
  readonly outcome: string;
  readonly story_filter: string | null;
  /** Null: of the run as a whole. */
  readonly lane: number | null;
  readonly run_id: string;
}
