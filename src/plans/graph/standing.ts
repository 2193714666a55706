import type { TaskRegister } from '../../journal/words/task-register.ts';

/** What the register of a task says. `named`: its holder has no process that could be asked whether it lives. */
export interface Hold {
  /** The fencing number. */
  readonly n: number;
  /** Null: it cannot be read, so nobody knows who has the task. */
  readonly register: TaskRegister | null;
  readonly liveness: 'alive' | 'dead' | 'unknown' | 'named';
  /** Of one that is done and not complete by the file, if somebody looked. elsewhere: its result is on another branch. undone: a person has set it back since. */
  readonly done?: 'here' | 'elsewhere' | 'undone';
}

/** How a task stands by the plan's file and its register together. waiting: for the tasks it needs. blocked: the file says so. */
export type Standing = 'complete' | 'held' | 'failed' | 'conflict' | 'blocked' | 'waiting' | 'ready';

export type Holds = ReadonlyMap<string, Hold>;
export type Standings = ReadonlyMap<string, Standing>;
