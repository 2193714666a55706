import type { Price } from './price.ts';
import type { Budget, LoopSpec, OwnWorktree, RecipeName, RunSettings, SuperviseSpec } from './run-settings.ts';
import type { AgentSpec } from './sandbox-spec.ts';
import type { StoriesSpec } from './stories-spec.ts';
import type { WorkSpec } from './work-spec.ts';

// Code that serves all recipes asks here for what differs. Besides `runs/recipes/`, which chooses the recipe, no other place asks which one it is.

/** What differs between recipes outside of their own folders. */
interface RecipeFacts {
  /** What its gates are called, in the words of the seed that it follows. */
  readonly gates: 'guardrails' | 'checks';
  /** Where its agents work: where the operator does, each in a worktree for its task, or together around a task folder. */
  readonly place: 'work tree' | 'worktrees' | 'task folder';
  /** Whether a claim is put to the proof in its iteration. */
  readonly provesClaims: boolean;
  /** Whether agents and operator are told the progress of the iterations, and every good end leaves a receipt. */
  readonly keepsProgress: boolean;
  /** Whether tasks or stories are claimed and proven one by one, each compared with the branch that it was taken from. */
  readonly hasItems: boolean;
  /** Whether these are tasks of a plan: they bring checks of their own, and one that is done is no reason to leave the others. */
  readonly hasTasks: boolean;
  /** Whether these are stories, which agents implement and review in turns. */
  readonly hasStories: boolean;
  /** Whether starts of the agent count, not iterations, and the run has rules of its own for failures. */
  readonly countsStarts: boolean;
  /** Whether its agent is started again until the work is done. */
  readonly isRestarted: boolean;
  /** The command that starts it. */
  readonly command: 'run' | 'loop' | 'work' | 'supervise' | 'job';
}

const USUAL: RecipeFacts = {
  gates: 'checks',
  place: 'work tree',
  provesClaims: false,
  keepsProgress: false,
  hasItems: false,
  hasTasks: false,
  hasStories: false,
  countsStarts: false,
  isRestarted: false,
  command: 'run',
};

const FACTS: Readonly<Record<RecipeName, RecipeFacts>> = {
  run: { ...USUAL, gates: 'guardrails', provesClaims: true },
  loop: { ...USUAL, command: 'loop', provesClaims: true, keepsProgress: true },
  supervise: { ...USUAL, command: 'supervise', place: 'task folder', countsStarts: true, isRestarted: true },
  job: { ...USUAL, command: 'job', place: 'task folder', countsStarts: true },
  work: { ...USUAL, command: 'work', place: 'worktrees', hasItems: true, hasTasks: true },
  stories: { ...USUAL, command: 'work', hasItems: true, hasStories: true },
};

/** What names its recipe: settings, or a summary of a run, whose recipe may be one that only a newer Ralph knows. */
interface Named {
  readonly recipe: string;
}

/** Null or undefined: no run has started yet. */
export function factsOf(named: Named | null | undefined): RecipeFacts {
  return named && Object.hasOwn(FACTS, named.recipe) ? FACTS[named.recipe as RecipeName] : USUAL;
}

/** Null or undefined: no run has started yet. */
type Settings = RunSettings | null | undefined;

/** The groups of settings that belong to one recipe each. A run has at most one of them. */
interface Groups {
  readonly loop?: LoopSpec;
  readonly supervise?: SuperviseSpec;
  readonly work?: WorkSpec;
  readonly stories?: StoriesSpec;
}

const groupsOf = (settings: Settings) => (settings ?? {}) as Groups;

/** The budget of the whole run. */
export function budgetOf(settings: RunSettings): Budget {
  const { loop, work, stories } = groupsOf(settings);
  return (loop ?? work ?? stories ?? settings).budget ?? { costUsd: null, timeMs: 0 };
}

export function withBudget(settings: RunSettings, budget: Budget): RunSettings {
  switch (settings.recipe) {
    case 'loop':
      return { ...settings, loop: { ...settings.loop, budget } };
    case 'work':
      return { ...settings, work: { ...settings.work, budget } };
    case 'stories':
      return { ...settings, stories: { ...settings.stories, budget } };
    case 'run':
    case 'supervise':
    case 'job':
      return { ...settings, budget };
  }
}

/** The operator's prices, by the name of the model. */
export function pricesOf(settings: RunSettings): Readonly<Record<string, Price>> {
  const { loop, work, stories } = groupsOf(settings);
  return (loop ?? work ?? stories ?? settings).prices ?? {};
}
/** Patterns of everything that no agent may change, whatever the recipe: a loop adds its own. */
export function protectedPaths(settings: RunSettings): readonly string[] {
  return [...new Set([...settings.protect, ...(groupsOf(settings).loop?.protect ?? [])])];
}

/** The worktree in which the whole run works; null: it works where it was started. */
export const ownWorktreeOf = (settings: Settings): OwnWorktree | null => groupsOf(settings).loop?.worktree ?? null;

/** A run without a loop has no worktree of its own. */
export function withOwnWorktree(settings: RunSettings, worktree: OwnWorktree): RunSettings {
  return settings.recipe === 'loop' ? { ...settings, loop: { ...settings.loop, worktree } } : settings;
}

/** The settings for the plan of a run on tasks; null: it has none. */
export const workSpecOf = (settings: Settings): WorkSpec | null => groupsOf(settings).work ?? null;

/** Where the worktrees of its tasks are; null: it has none. */
export function taskWorktreesOf(settings: RunSettings, top: string): string | null {
  const work = workSpecOf(settings);
  return work && (work.worktree.root ?? `${top}.ralph`);
}

/** Where the machines of its fleet meet; undefined: it has none. */
export const storeOfRun = (settings: Settings): WorkSpec['store'] => workSpecOf(settings)?.store;

/** The plan of a run on tasks. */
export const planPathOf = (settings: Settings): string | undefined => workSpecOf(settings)?.plan.path;

/** Whether a run on tasks takes only some of its plan. */
export function takesSomeTasks(settings: Settings): boolean {
  const filter = workSpecOf(settings)?.filter;
  return filter !== undefined && (filter.story !== null || filter.milestone !== null || filter.tags.length > 0);
}

export const mostFailuresOf = (settings: Settings): number | null => workSpecOf(settings)?.maxFailures ?? null;

/** The settings for the stories of a run; null: it has none. */
export const storiesSpecOf = (settings: Settings): StoriesSpec | null => groupsOf(settings).stories ?? null;

/** The agent that reviews stories; null: the agents of the run do. */
export const reviewAgentOf = (settings: Settings): AgentSpec | null => storiesSpecOf(settings)?.reviewAgent ?? null;

export function withoutReviewAgent(settings: RunSettings): RunSettings {
  return settings.recipe === 'stories' ? { ...settings, stories: { ...settings.stories, reviewAgent: null } } : settings;
}

/** Whether a story is done without a review. */
export const skipsReview = (settings: Settings): boolean => storiesSpecOf(settings)?.skipReview ?? false;

/** The task of a root agent; null: the run has none. */
export const taskSpecOf = (settings: Settings): SuperviseSpec | null => groupsOf(settings).supervise ?? null;

/** The environment variables that the operator gives the agents of a task. */
export const agentVariablesOf = (settings: Settings): SuperviseSpec['env'] => taskSpecOf(settings)?.env ?? {};

/** Whether another run has started this one. */
export const isChildRun = (settings: Settings): boolean => (taskSpecOf(settings)?.parent ?? null) !== null;

export const specFileOf = (settings: Settings): LoopSpec['spec'] => groupsOf(settings).loop?.spec ?? null;

/** Whether all gates must also be green in a fresh checkout. */
export const verifiesClean = (settings: Settings): boolean => groupsOf(settings).loop?.verifyClean ?? false;

export const requiredTagOf = (settings: Settings): LoopSpec['requireTag'] | null => groupsOf(settings).loop?.requireTag ?? null;

/** Gates that must be red at the start. */
export const witnessesOf = (settings: Settings): readonly string[] => groupsOf(settings).loop?.witnesses ?? [];

export const runsGatesTogether = (settings: Settings): boolean => groupsOf(settings).loop?.parallelChecks ?? false;

/** How often a red gate is run again on the same files; undefined: the recipe does not say. */
export function flakyRetriesOf(settings: Settings): number | undefined {
  const { loop, work } = groupsOf(settings);
  return (loop ?? work)?.flakyRetries;
}
