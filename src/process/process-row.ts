/** One line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** It has ended and only waits to be collected; it still answers `kill(pid, 0)`. */
  readonly zombie: boolean;
  /** When it started, in the system's own spelling: compared for equality, and never reused together with its pid. */
  readonly startTime: string;
}

/** Tells it from every other, also from one that is given its number later. */
export function nameOf({ pid, startTime }: Pick<ProcessRow, 'pid' | 'startTime'>): string {
  return `${pid}@${startTime}`;
}

/** What the environment of a process says. An empty one may belong to a process that is just being replaced by exec. */
export interface ProcessEnvironment {
  readonly marker: string | null;
  readonly empty: boolean;
}

/** The processes of this machine as far as we can see them, at one moment. */
export interface ProcessTable {
  readonly rows: readonly ProcessRow[];
  environmentOf(pid: number): ProcessEnvironment;
}
