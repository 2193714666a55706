import type { Plan, PlanTask, TaskStanding } from '../../journal/words/plan.ts';
import type { TaskRegister } from '../../journal/words/task-register.ts';

/** The content of a task's register. `named`: its holder has no process whose liveness could be checked. */
export interface Hold {
  /** The fencing number. */
  readonly n: number;
  /** Null: it cannot be read, so the holder is unknown. */
  readonly register: TaskRegister | null;
  readonly liveness: 'alive' | 'dead' | 'unknown' | 'named';
  /**
   * For a task that is done but not complete by the file, if somebody looked. elsewhere: its result is on another branch. undone: a person has set it back
   * since.
   */
  readonly done?: 'here' | 'elsewhere' | 'undone';
}

export type Standing = TaskStanding;

export type Holds = ReadonlyMap<string, Hold>;
export type Standings = ReadonlyMap<string, Standing>;

/** The labels that a task asks for and the worker does not have. */
export function missingLabels({ runs_on = [] }: Pick<PlanTask, 'runs_on'>, { labels }: { readonly labels?: readonly string[] | undefined }): readonly string[] {
  return labels === undefined ? [] : runs_on.filter((label) => !labels.includes(label));
}

interface Look {
  /** One column wide in every terminal. */
  readonly mark: string;
  readonly fill: string;
  readonly stroke: string;
}

/** How each state is shown, the same in every picture, in the order of a legend. */
export const standingStyles = {
  complete: { mark: '✓', fill: '#d3f9d8', stroke: '#2b8a3e' },
  held: { mark: '▶', fill: '#d0ebff', stroke: '#1864ab' },
  ready: { mark: '●', fill: '#fff3bf', stroke: '#e67700' },
  waiting: { mark: '○', fill: '#f1f3f5', stroke: '#868e96' },
  blocked: { mark: '■', fill: '#ffe8cc', stroke: '#d9480f' },
  failed: { mark: '✗', fill: '#ffe3e3', stroke: '#c92a2a' },
  conflict: { mark: '≠', fill: '#f3d9fa', stroke: '#862e9c' },
  parked: { mark: '?', fill: '#fff9db', stroke: '#f08c00' },
} as const satisfies Record<Standing, Look>;

export const allStandings = Object.keys(standingStyles) as readonly Standing[];

/** The name of a task's register. Slashes in an id are escaped, so that no two pairs of plan and task share one. */
export function registerName(planPath: string, task: string): string {
  return `task/${planPath}/${task.replaceAll('%', '%25').replaceAll('/', '%2F')}`;
}

/** The tasks that wait only for this one, in the order of the plan. Its own state does not matter. */
export function unlockedBy(plan: Plan, standings: ReadonlyMap<string, Standing>, id: string): readonly string[] {
  const hasAllElse = (needs: readonly string[]) => needs.every((need) => need === id || standings.get(need) === 'complete');
  const isFree = (standing: Standing | undefined) => standing === 'waiting' || standing === 'ready';
  return plan.tasks.filter((task) => task.needs.includes(id) && isFree(standings.get(task.id)) && hasAllElse(task.needs)).map((task) => task.id);
}
