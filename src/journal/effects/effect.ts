import * as z from '../../kit/pure/shape.ts';
import { GateSpec } from '../../settings/schema/run-settings.ts';
import { AttemptRole } from '../words/claim.ts';
import { PlanTask } from '../words/plan.ts';
import { GateLife } from '../words/proof.ts';
import { Receipt } from '../words/receipt.ts';
import { Story, StoryCheck, StoryMode, StoryRange } from '../words/story.ts';
import { LookAtStories, RecordStories, SettleStories } from './story-effect.ts';
import { EndChildren, LookAtTask, Post, RefuseDone, StartChild } from './task-effect.ts';
import { BringBase, CloseWorkspace, Merge, OpenWorkspace, ReleaseTask, SettlePlan, TakeTask } from './work-effect.ts';

/** 0: of the run as a whole, before the first iteration or after the last. */
const Iteration = z.number().int().nonnegative();
const Attempt = z.number().int().nonnegative();
/** Epoch ms at which the time of the whole run is up; null: it has no end. */
const Until = z.number().nullable().default(null);

/** What a red gate says to the next prompt; already cut to size, so that nothing later reads a file an agent could edit. */
export const Failure = z.strictObject({
  action: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  message: z.string(),
  /** Which check it was, where the prompt gives each its own heading (seed 004). */
  check: z.string().default(''),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

/** All that a fresh agent is told of the iterations before it (seed 004). */
export const CleanContext = z.strictObject({
  /** The tree at the start of the run, to show what has changed since; null where git cannot tell. */
  since: z.string().nullable(),
  /** How the agent before it came to nothing. */
  error: z.string(),
  progress: z.string(),
  /** The checks that were red before any agent touched anything. */
  red_at_start: z.array(z.string()),
});
export type CleanContext = Readonly<z.infer<typeof CleanContext>>;

/** What an agent is told of its turn. */
export const TurnAsked = z.strictObject({
  mode: StoryMode,
  story: Story,
  /** The commits there are to review. */
  ranges: z.array(StoryRange),
  /** The how manieth reviewer of how many it is. */
  reviewer: z.strictObject({ number: z.number().int().positive(), of: z.number().int().positive() }),
  /** Why the last turn of this story came to nothing; empty: it did not. */
  feedback: z.string(),
  answers: z.array(z.strictObject({ question: z.string(), answer: z.string() })),
  /** What the verify commands said of the story when they ran last. */
  checks: z.array(StoryCheck).optional(),
});
export type TurnAsked = Readonly<z.infer<typeof TurnAsked>>;

export const RunAgent = z.strictObject({
  kind: z.literal('run-agent'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  role: AttemptRole,
  /** What the prompt begins with, where that is not the operator's own text: a review's, or the question for a commit message. */
  prompt: z.string().nullable().default(null),
  /** The name of the review. */
  about: z.string().default(''),
  failures: z.array(Failure),
  /** The number the last iteration may have, for the prompt's count; 0 means no limit. */
  maximum: z.number().int().nonnegative(),
  /** What a clean context is made of beside the task and the failures; null: the prompt is the operator's own. */
  context: CleanContext.nullable().default(null),
  /** How a root agent was before this life; null for its first one, and for every other agent. */
  previous_life: z.strictObject({ iteration: Iteration, attempt: Attempt }).nullable().default(null),
  /** Where it works, if not where the run does. */
  cwd: z.string().optional(),
  /** The task of a plan it works on, and what the one who had it before it left. */
  work: z
    .strictObject({
      task: PlanTask,
      n: z.number().int().positive(),
      feedback: z.string(),
      /** Whether the branch has what an earlier holder has done. */
      goes_on: z.boolean(),
      prompt: z.string().nullable(),
    })
    .optional(),
  /** The turn of a story it has, and what it has to know for that. */
  turn: TurnAsked.optional(),
  until: Until,
  /** What is left of the budget, for agents that can keep to it. */
  budget_usd: z.number().nullable().default(null),
});
export type RunAgent = Readonly<z.infer<typeof RunAgent>>;

export const RunGates = z.strictObject({
  kind: z.literal('run-gates'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  where: z.enum(['start', 'workspace', 'clean', 'merged']),
  gates: z.array(GateSpec),
  /** Whether the fact must name the trees before and after: for a claim, and while a change is asked for and was not seen. */
  name_tree: z.boolean(),
  /** Whether that tree is to be committed if all is green: its objects are then kept in the repository. */
  keep_tree: z.boolean().default(false),
  /** Stands in the names of the logs, so that later gates of an iteration never write over earlier ones. */
  phase: z.string().default(''),
  /** What neither agents nor gates may touch: these paths are afterwards as they are in the tree. Nobody is blamed for what a gate wrote there. */
  protect: z
    .strictObject({ tree: z.string(), paths: z.array(z.string()) })
    .nullable()
    .default(null),
  /** The tree to check out where they look at a clean one. */
  tree: z.string().nullable().default(null),
  /** Where they run, if not where the run works. */
  cwd: z.string().optional(),
  until: Until,
});
export type RunGates = Readonly<z.infer<typeof RunGates>>;

/** Looks which test files each gate really runs, by failures that are planted in a copy of that tree. */
export const FindLiving = z.strictObject({
  kind: z.literal('find-living'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  gates: z.array(GateSpec),
  tree: z.string(),
  /** At the start: from then on the first iteration may begin beside it. */
  alone_until: z.number().optional(),
  until: Until,
});
export type FindLiving = Readonly<z.infer<typeof FindLiving>>;

/** Puts a claim to the proof, in copies of the claimed tree that no agent can reach. */
export const Prove = z.strictObject({
  kind: z.literal('prove'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  gates: z.array(GateSpec),
  tree: z.string(),
  /** The tree whose deciders count. */
  base: z.string(),
  /** Where HEAD was at the start of the run, and where it is now: what a person has committed in between is part of the base. Absent: nothing was. */
  moved: z.strictObject({ from: z.string(), to: z.string() }).optional(),
  level: z.enum(['green', 'living']),
  may_change: z.array(z.string()),
  /** What was alive at the start; empty: nobody has looked. */
  living: z.array(GateLife),
  /** Whether the gates were seen green in a fresh checkout already. */
  seen_clean: z.boolean(),
  /** The story that it is about: sealed checks can be for one alone. */
  story: z.string().optional(),
  /** How many runs of the sealed checks came before. */
  sealed_runs: z.number().int().nonnegative().optional(),
  until: Until,
});
export type Prove = Readonly<z.infer<typeof Prove>>;

/** One commit of exactly the tree that the gates were given. Parent and message are known before, so that it can be found again. */
export const Commit = z.strictObject({
  kind: z.literal('commit'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** Its place in the list of SCM tasks. */
  task: z.number().int().nonnegative(),
  /** Null before the first commit of a repository. */
  parent: z.string().nullable(),
  message: z.string().min(1),
  /** What the operator adds to every `commit`. */
  flags: z.array(z.string()),
  tree: z.string(),
  /** What the gates left of it: the only other state of the working copy that is no reason to refuse. */
  tree_after: z.string(),
});
export type Commit = Readonly<z.infer<typeof Commit>>;

/** Any other SCM task: words of a command line, never a shell's. */
export const RunCommand = z.strictObject({
  kind: z.literal('run-command'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  task: z.number().int().nonnegative(),
  argv: z.array(z.string()).min(1),
  /** Whether it may be done again when nobody knows what came of it. */
  repeatable: z.boolean(),
});
export type RunCommand = Readonly<z.infer<typeof RunCommand>>;

/** Puts back what an agent was not allowed to touch. What it had made of it is kept under a ref. */
export const PutBack = z.strictObject({
  kind: z.literal('put-back'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The tree that is to be restored, in these paths only. */
  tree: z.string(),
  protect: z.array(z.string()),
});
export type PutBack = Readonly<z.infer<typeof PutBack>>;

/** Writes down what proves that the work is done, where neither an agent nor the next run can lose it. */
export const WriteReceipt = z.strictObject({
  kind: z.literal('write-receipt'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  receipt: Receipt,
});
export type WriteReceipt = Readonly<z.infer<typeof WriteReceipt>>;

/** Something to do in the world. Journaled whole as an intent before it is done; asking twice by the same key is asking once. */
export const Effect = z.discriminatedUnion('kind', [
  RunAgent,
  RunGates,
  FindLiving,
  Prove,
  Commit,
  RunCommand,
  PutBack,
  WriteReceipt,
  LookAtTask,
  RefuseDone,
  StartChild,
  EndChildren,
  Post,
  TakeTask,
  OpenWorkspace,
  SettlePlan,
  Merge,
  BringBase,
  ReleaseTask,
  CloseWorkspace,
  LookAtStories,
  SettleStories,
  RecordStories,
]);
export type Effect = z.infer<typeof Effect>;

export const attemptId = (effect: { iteration: number; attempt: number }): string => `${effect.iteration}.${effect.attempt}`;
