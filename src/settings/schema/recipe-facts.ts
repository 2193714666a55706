import type { LoopSpec, OwnWorktree, RunSettings, SuperviseSpec } from './run-settings.ts';
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
  countsStarts: false,
  isRestarted: false,
  command: 'run',
};

const FACTS: Readonly<Record<RunSettings['recipe'], RecipeFacts>> = {
  run: { ...USUAL, gates: 'guardrails', provesClaims: true },
  loop: { ...USUAL, command: 'loop', provesClaims: true, keepsProgress: true },
  supervise: { ...USUAL, command: 'supervise', place: 'task folder', countsStarts: true, isRestarted: true },
  job: { ...USUAL, command: 'job', place: 'task folder', countsStarts: true },
  work: { ...USUAL, command: 'work', place: 'worktrees', hasItems: true, hasTasks: true },
  stories: { ...USUAL, command: 'work', hasItems: true },
};

/** What names its recipe: settings, or a summary of a run, whose recipe may be one that only a newer Ralph knows. */
interface Named {
  readonly recipe: string;
}

export const factsOf = ({ recipe }: Named): RecipeFacts => (Object.hasOwn(FACTS, recipe) ? FACTS[recipe as RunSettings['recipe']] : USUAL);

export const isOnStories = ({ recipe }: Named): boolean => recipe === 'stories';

/** Null or undefined: no run has started yet. */
type Settings = RunSettings | null | undefined;

/** The worktree in which the whole run works; null: it works where it was started. */
export const ownWorktreeOf = (settings: Settings): OwnWorktree | null => settings?.loop?.worktree ?? null;

export function withOwnWorktree<S extends RunSettings>(settings: S, worktree: OwnWorktree): S {
  return { ...settings, loop: settings.loop && { ...settings.loop, worktree } };
}

/** Where the worktrees of its tasks are; null: it has none. */
export const taskWorktreesOf = ({ work }: RunSettings, top: string): string | null => work && (work.worktree.root ?? `${top}.ralph`);

/** The settings for the plan of a run on tasks; null: it has none. */
export const workSpecOf = ({ work }: RunSettings): WorkSpec | null => work;

/** Where the machines of its fleet meet; undefined: it has none. */
export const storeOfRun = (settings: Settings): WorkSpec['store'] => settings?.work?.store;

/** The plan of a run on tasks. */
export const planPathOf = (settings: Settings): string | undefined => settings?.work?.plan.path;

/** Whether a run on tasks takes only some of its plan. */
export function takesSomeTasks(settings: Settings): boolean {
  const filter = settings?.work?.filter;
  return filter !== undefined && (filter.story !== null || filter.milestone !== null || filter.tags.length > 0);
}

export const mostFailuresOf = ({ work }: RunSettings): number | null => work?.maxFailures ?? null;

/** The folder with the list of stories, which the loop reads while an agent writes it; null: the run has none. */
export const storiesFolderOf = ({ stories }: RunSettings): string | null => stories?.folder ?? null;

/** The agent that reviews stories; null: the agents of the run do. */
export const reviewAgentOf = ({ stories }: RunSettings): AgentSpec | null => stories?.reviewAgent ?? null;

export function withoutReviewAgent<S extends RunSettings>(settings: S): S {
  return { ...settings, stories: settings.stories && { ...settings.stories, reviewAgent: null } };
}

/** Whether a story is done without a review. */
export const skipsReview = (settings: Settings): boolean => settings?.stories?.skipReview ?? false;

/** What an earlier run knew of each story. */
export const carriedOf = (settings: Settings): StoriesSpec['carried'] => settings?.stories?.carried ?? {};

/** The task of a root agent; null: the run has none. */
export const taskSpecOf = ({ supervise }: RunSettings): SuperviseSpec | null => supervise;

/** The task folder that the agents share; null: there is none. */
export const taskFolderOf = ({ supervise }: RunSettings): string | null => supervise?.folder ?? null;

/** The environment variables that the operator gives the agents of a task. */
export const agentVariablesOf = ({ supervise }: RunSettings): SuperviseSpec['env'] => supervise?.env ?? {};

/** How many failures, and how fast, end the restarts; null: none do. */
export const restartIntensityOf = (settings: Settings): SuperviseSpec['intensity'] => settings?.supervise?.intensity ?? null;

/** Whether another run has started this one. */
export const isChildRun = ({ supervise }: RunSettings): boolean => supervise !== null && supervise.parent !== null;

export const specFileOf = ({ loop }: RunSettings): LoopSpec['spec'] => loop?.spec ?? null;

/** Whether all gates must also be green in a fresh checkout. */
export const verifiesClean = ({ loop }: RunSettings): boolean => loop?.verifyClean ?? false;

export const requiredTagOf = ({ loop }: RunSettings): LoopSpec['requireTag'] | null => loop?.requireTag ?? null;

/** Gates that must be red at the start. */
export const witnessesOf = (settings: Settings): readonly string[] => settings?.loop?.witnesses ?? [];

export const runsGatesTogether = ({ loop }: RunSettings): boolean => loop?.parallelChecks ?? false;

/** How often a red gate is run again on the same files; undefined: the recipe does not say. */
export const flakyRetriesOf = ({ loop, work }: RunSettings): number | undefined => (loop ?? work)?.flakyRetries;
