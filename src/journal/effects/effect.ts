import * as z from '../../kit/pure/shape.ts';
import { GateSpec } from '../../settings/schema/run-settings.ts';
import { AnsweredQuestion, AttemptRole } from '../words/claim.ts';
import { PlanTask } from '../words/plan.ts';
import { GateLife } from '../words/proof.ts';
import { Receipt } from '../words/receipt.ts';
import { Story, StoryCheck, StoryMode, StoryRange } from '../words/story.ts';
import { LookAtStories, RecordStories, SettleStories } from './story-effect.ts';
import { EndChildren, LookAtTask, Post, RefuseDone, StartChild } from './task-effect.ts';
import { AnswerTask, BringBase, CloseWorkspace, Merge, OpenWorkspace, ReleaseTask, SettlePlan, TakeTask } from './work-effect.ts';

/** 0: the run as a whole, before the first iteration or after the last. */
const Iteration = z.number().int().nonnegative();
const Attempt = z.number().int().nonnegative();
/** Epoch ms at which the run's time is up; null: no limit. */
const Until = z.number().nullable().default(null);

/** What a red gate tells the next prompt. It is already cut to size, so nothing later reads a file that an agent could edit. */
export const Failure = z.strictObject({
  action: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  message: z.string(),
  /** The name of the check, where the prompt gives each check its own heading (seed 004). */
  check: z.string().default(''),
});
export type Failure = Readonly<z.infer<typeof Failure>>;

/** Everything a fresh agent is told about the iterations before it (seed 004). */
export const CleanContext = z.strictObject({
  /** The tree at the start of the run, to show what has changed since; null when git cannot tell. */
  since: z.string().nullable(),
  /** How the previous agent failed. */
  error: z.string(),
  progress: z.string(),
  /** The checks that were red before any agent touched anything. */
  red_at_start: z.array(z.string()),
});
export type CleanContext = Readonly<z.infer<typeof CleanContext>>;

/** What an agent is told about its turn. */
export const TurnRequest = z.strictObject({
  mode: StoryMode,
  story: Story,
  /** The commits to review. */
  ranges: z.array(StoryRange),
  /** Which reviewer this is, and out of how many. */
  reviewer: z.strictObject({ number: z.number().int().positive(), of: z.number().int().positive() }),
  /** Why the last turn of this story failed; empty: it did not. */
  feedback: z.string(),
  answers: z.array(AnsweredQuestion),
  /** The last results of the verify commands for the story. */
  checks: z.array(StoryCheck).optional(),
});
export type TurnRequest = Readonly<z.infer<typeof TurnRequest>>;

export const RunAgent = z.strictObject({
  kind: z.literal('run-agent'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  role: AttemptRole,
  /** The text of the prompt where it is not the operator's own: a review prompt, or the request for a commit message. */
  prompt: z.string().nullable().default(null),
  /** The name of the review. */
  about: z.string().default(''),
  failures: z.array(Failure),
  /** The number of the last allowed iteration, for the prompt; 0 means no limit. */
  maximum: z.number().int().nonnegative(),
  /** The parts of a clean context besides the task and the failures; null: the prompt is the operator's own. */
  context: CleanContext.nullable().default(null),
  /** The last attempt of the root agent's previous life; null for its first life, and for every other agent. */
  previous_life: z.strictObject({ iteration: Iteration, attempt: Attempt }).nullable().default(null),
  /** Its folder, if it is not the run's. */
  cwd: z.string().optional(),
  /** The task of a plan that it works on, and what the previous holder left. */
  work: z
    .strictObject({
      task: PlanTask,
      n: z.number().int().positive(),
      feedback: z.string(),
      /** Whether the branch already has work of an earlier holder. */
      goes_on: z.boolean(),
      prompt: z.string().nullable(),
    })
    .optional(),
  /** The turn of a story, and what the agent must know for it. */
  turn: TurnRequest.optional(),
  /** What people have answered to agents before it; absent: nothing. For a story it is in the turn, for a supervised agent on its bus. */
  answers: z.array(AnsweredQuestion).optional(),
  /** What people want the agent to know; absent: nothing. */
  notes: z.array(z.string()).optional(),
  /** Which of the agents of the run is asked. Absent: it has only one, or a story has a reviewer of its own. */
  agent: z.string().optional(),
  /** The agent whose turn it would be, if its iterations had not come to the same again and again. */
  instead_of: z.string().optional(),
  until: Until,
  /** What is left of the budget, for agents that support one. */
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
  /** Whether the fact must name the trees before and after. This is needed for a claim, and while a required change has not been seen yet. */
  name_tree: z.boolean(),
  /** Whether that tree may be committed if all gates are green. Its objects are then stored in the repository. */
  keep_tree: z.boolean().default(false),
  /** What the run started with, commit and tree: what differs between them stays out of a commit. Absent: everything may be committed. */
  start: z.strictObject({ head: z.string(), tree: z.string() }).optional(),
  /** Part of the log names, so that later gates of an iteration never overwrite earlier logs. */
  phase: z.string().default(''),
  /** Protected paths: after the gates they are reverted to this tree. Nobody is blamed for what a gate wrote there. */
  protect: z
    .strictObject({ tree: z.string(), paths: z.array(z.string()) })
    .nullable()
    .default(null),
  /** The tree to check out for a clean verification. */
  tree: z.string().nullable().default(null),
  /** Their folder, if it is not the run's. */
  cwd: z.string().optional(),
  until: Until,
});
export type RunGates = Readonly<z.infer<typeof RunGates>>;

/** Finds out which test files each gate really runs, by planting failures in a copy of that tree. */
export const FindLiving = z.strictObject({
  kind: z.literal('find-living'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  gates: z.array(GateSpec),
  tree: z.string(),
  /** At the start of a run: after this time the first iteration may begin while this effect still runs. */
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
  /** Where HEAD was at the start of the run and where it is now: commits that a person made in between are part of the base. Absent: there are none. */
  moved: z.strictObject({ from: z.string(), to: z.string() }).optional(),
  level: z.enum(['green', 'living']),
  may_change: z.array(z.string()),
  /** The gates' states at the start; empty: nobody has looked. */
  living: z.array(GateLife),
  /** Whether the gates were already green in a fresh checkout. */
  seen_clean: z.boolean(),
  /** How many tests they ran there; null: they printed no number. Absent: nobody has counted. */
  seen_tests: z.array(z.strictObject({ command: z.string(), tests: z.number().int().nonnegative().nullable() })).optional(),
  /** The story of the claim: sealed checks can be limited to one story. */
  story: z.string().optional(),
  /** How many times the sealed checks ran before. */
  sealed_runs: z.number().int().nonnegative().optional(),
  /** The first files that the gates saw and that are not in the tree, because they were dirty before the start. Absent: none. */
  without: z.array(z.string()).optional(),
  until: Until,
});
export type Prove = Readonly<z.infer<typeof Prove>>;

/** Commits exactly the tree that the gates judged. Parent and message are fixed beforehand, so that the commit can be found after a crash. */
export const Commit = z.strictObject({
  kind: z.literal('commit'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** Its index in the list of SCM tasks. */
  task: z.number().int().nonnegative(),
  /** Null before the first commit of a repository. */
  parent: z.string().nullable(),
  message: z.string().min(1),
  /** What the operator adds to every `commit`. */
  flags: z.array(z.string()),
  tree: z.string(),
  /** The tree that the gates left: the only other state of the working copy in which the commit is not refused. */
  tree_after: z.string(),
  /** What the gates judged: the same tree with files that were dirty before the start. Absent: there are none. */
  judged: z.string().optional(),
  /** Those of them that have changed since the start. Absent: none. */
  changed_dirt: z.array(z.string()).optional(),
});
export type Commit = Readonly<z.infer<typeof Commit>>;

/** Any other SCM task: the words of a command line. No shell parses them. */
export const RunCommand = z.strictObject({
  kind: z.literal('run-command'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  task: z.number().int().nonnegative(),
  argv: z.array(z.string()).min(1),
  /** Whether it may be repeated when its result is unknown. */
  repeatable: z.boolean(),
});
export type RunCommand = Readonly<z.infer<typeof RunCommand>>;

/** Reverts what an agent was not allowed to change. The agent's version is kept under a ref. */
export const RevertPaths = z.strictObject({
  kind: z.literal('put-back'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  /** The tree to restore, in these paths only. */
  tree: z.string(),
  protect: z.array(z.string()),
});
export type RevertPaths = Readonly<z.infer<typeof RevertPaths>>;

/** Writes the receipt, which proves that the work is done, where neither an agent nor the next run can lose it. */
export const WriteReceipt = z.strictObject({
  kind: z.literal('write-receipt'),
  key: z.string(),
  iteration: Iteration,
  attempt: Attempt,
  receipt: Receipt,
});
export type WriteReceipt = Readonly<z.infer<typeof WriteReceipt>>;

/** Something to do in the world. It is journaled as a whole before it is performed. Asking twice with the same key performs it once. */
export const Effect = z.discriminatedUnion('kind', [
  RunAgent,
  RunGates,
  FindLiving,
  Prove,
  Commit,
  RunCommand,
  RevertPaths,
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
  AnswerTask,
  CloseWorkspace,
  LookAtStories,
  SettleStories,
  RecordStories,
]);
export type Effect = z.infer<typeof Effect>;

export const attemptId = (effect: { iteration: number; attempt: number }): string => `${effect.iteration}.${effect.attempt}`;
