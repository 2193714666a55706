import { ClaimSpec } from '../../journal/words/claim.ts';
import * as z from '../../kit/pure/shape.ts';
import { Price } from './price.ts';
import { StoriesSpec } from './stories-spec.ts';
import { AgentSpec, NO_WALL, WallSpec } from './wall.ts';
import { WorkSpec } from './work-spec.ts';

const Ms = z.number().int().nonnegative();

/** A command that decides. `failAction` says how its failure enters the next prompt (seed 001). */
export const GateSpec = z.strictObject({
  command: z.string().min(1),
  failAction: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  hint: z.string().nullable(),
  timeoutMs: Ms,
  /** The most that a claim is put to with this gate; absent: what the run asks for. */
  proof: z.enum(['off', 'green']).optional(),
});
export type GateSpec = Readonly<z.infer<typeof GateSpec>>;

/** Everything that bounds an attempt or a wait; 0 means no bound. */
export const RunLimits = z.strictObject({
  idleMs: Ms,
  iterationMs: Ms,
  outputBytes: z.number().int().nonnegative(),
  /** How long an agent that has said its last word may stay silent before it is ended. */
  lingerMs: Ms,
  /** How long all waits for usage limits may take together. */
  limitWaitMs: Ms,
  /** How often an iteration is given another attempt because one came to nothing. */
  repeats: z.number().int().positive(),
  /** The pause before the second failed iteration in a row; doubles up to a minute. */
  failurePauseMs: Ms,
  graceMs: z.strictObject({ sigint: Ms, sigterm: Ms }),
});
export type RunLimits = Readonly<z.infer<typeof RunLimits>>;

/** What is done with the repository after a green iteration (seed 001). */
export const ScmSpec = z.strictObject({
  command: z.string().min(1),
  tasks: z.array(z.string().min(1)),
  timeoutMs: Ms,
  /** Who words a commit: the agent is asked, or the loop says which iteration it was. */
  message: z.enum(['agent', 'generated']).default('agent'),
});
export type ScmSpec = Readonly<z.infer<typeof ScmSpec>>;

/** Prompts that each get an agent of their own, and the gates after it, once so many iterations were green. */
export const ReviewSpec = z.strictObject({
  after: z.number().int().positive(),
  /** How often one review is asked again because its gates were red. */
  retryLimit: z.number().int().nonnegative(),
  prompts: z.array(z.strictObject({ name: z.string().min(1), prompt: z.string().min(1) })).min(1),
});
export type ReviewSpec = Readonly<z.infer<typeof ReviewSpec>>;

/** What a whole run may take. */
const Budget = z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms });
export type Budget = Readonly<z.infer<typeof Budget>>;

/** A worktree of the run's own, beside the repository. */
export const OwnWorktree = z.strictObject({
  path: z.string(),
  branch: z.string(),
  /** The top of the operator's own work tree. */
  repository: z.string(),
});
export type OwnWorktree = Readonly<z.infer<typeof OwnWorktree>>;

/** What seed 004 asks for beyond seed 001. Null: none of it. */
export const LoopSpec = z.strictObject({
  /** The file the prompt was taken from, and whether a change of it counts; null for a task. */
  spec: z.strictObject({ path: z.string(), follow: z.boolean() }).nullable(),
  /** always: a claim and green checks. auto: also green checks in two iterations in a row. never: green checks. */
  requireTag: z.enum(['always', 'auto', 'never']),
  budget: Budget,
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
  /** Whether the checks run once before the first iteration. */
  baseline: z.boolean(),
  /** How often a red check is run again at once, to see whether it is flaky. */
  flakyRetries: z.number().int().nonnegative(),
  parallelChecks: z.boolean(),
  /** Checks that must be red at the start and green in the end. They are among the gates too. */
  witnesses: z.array(z.string()),
  /** Paths no agent may touch, as git's glob patterns. */
  protect: z.array(z.string()),
  /** Whether all checks must be green in a fresh checkout too. */
  verifyClean: z.boolean(),
  worktree: OwnWorktree.nullable(),
});
export type LoopSpec = Readonly<z.infer<typeof LoopSpec>>;

/** What a claim needs before it counts, beyond green gates where the agent works. */
export const ProofSpec = z.strictObject({
  /** green: in a clean copy too, and with the deciders of the start. living: and planted failures turn the gates red. */
  level: z.enum(['green', 'living']),
  /** Deciders that agents may change, as glob patterns. */
  mayChange: z.array(z.string()),
  /** The folder of the sealed checks, absolute. Absent: there are none. */
  sealed: z.string().min(1).optional(),
});
export type ProofSpec = Readonly<z.infer<typeof ProofSpec>>;

/** A root agent and its task folder (seed 002): for `supervise`, which restarts it until the folder says DONE, and for `job`, one life of such an agent. */
export const SuperviseSpec = z.strictObject({
  project: z.string().min(1),
  task: z.string().min(1),
  /** Absolute: `<root>/<project>/<task>`, where DONE, the bus and the runs lie. */
  folder: z.string().min(1),
  /** The run that asked for this one; null: a person did. */
  parent: z.string().nullable(),
  /** How often the agent may be run at all; 0: never. */
  maxRestarts: z.number().int().nonnegative(),
  restartDelayMs: Ms,
  /** The longest pause after failures in a row, each twice as long as the one before; 0: always the same pause. */
  backoffMs: Ms,
  /** More failures than this within this time, and we give up; null: never. */
  intensity: z.strictObject({ failures: z.number().int().nonnegative(), withinMs: Ms }).nullable(),
  /** How long children are waited for once all is done. */
  waitTimeoutMs: Ms,
  pollMs: Ms,
  /** How long an agent may stay on after DONE; 0: as long as it likes. */
  doneGraceMs: Ms,
  waitScope: z.enum(['task', 'project']),
  /** Whether children that outlive the wait are ended. */
  killChildren: z.boolean(),
  /** Tasks of the same project that must be done before this one begins. */
  dependsOn: z.array(z.string()),
  /** Whether waiting for a person or a failed task is an ending with exit code 3. */
  failOnBlocked: z.boolean(),
  /** What the agent's environment has beside ours. */
  env: z.record(z.string(), z.string()),
});
export type SuperviseSpec = Readonly<z.infer<typeof SuperviseSpec>>;

/** How the run looks to a person. No rule reads it. */
export const ConsoleSpec = z.strictObject({
  emoji: z.boolean(),
  /** Only ever on a terminal. */
  color: z.boolean(),
  timestamps: z.boolean(),
  maxOutputLines: z.number().int().positive(),
  maxOutputChars: z.number().int().positive(),
});
export type ConsoleSpec = Readonly<z.infer<typeof ConsoleSpec>>;

const PLAIN_CONSOLE: ConsoleSpec = { emoji: true, color: true, timestamps: false, maxOutputLines: 3, maxOutputChars: 120 };

/** What a run was started with. Journaled with `run.started`; a resumed run keeps it, whatever the files say by then. */
export const RunSettings = z.strictObject({
  recipe: z.enum(['run', 'loop', 'supervise', 'job', 'work', 'stories']),
  prompt: z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('text'), text: z.string() }),
    z.strictObject({ from: z.literal('file'), path: z.string() }),
  ]),
  agent: AgentSpec,
  /** Empty where a file is the claim. */
  claims: z.array(ClaimSpec),
  gates: z.array(GateSpec),
  /** How much of a red gate's output the next prompt is told, in code points; 0 is all of it. */
  outputTruncateChars: z.number().int().nonnegative(),
  includeIterationCount: z.boolean(),
  /** 0 means no limit. */
  maximumIterations: z.number().int().nonnegative(),
  lanes: z.number().int().positive(),
  /** Whether the console shows what the agent does. */
  streamAgentOutput: z.boolean(),
  onAgentError: z.enum(['continue', 'stop']),
  requireChange: z.boolean(),
  limits: RunLimits,
  scm: ScmSpec.nullable().default(null),
  reviews: ReviewSpec.nullable().default(null),
  loop: LoopSpec.nullable().default(null),
  supervise: SuperviseSpec.nullable().default(null),
  work: WorkSpec.nullable().default(null),
  stories: StoriesSpec.nullable().default(null),
  /** Paths no agent may change, as git's glob patterns. A loop has its own in `loop`. */
  protect: z.array(z.string()).default([]),
  /** Absent: green gates are enough. */
  proof: ProofSpec.optional(),
  wall: WallSpec.default(NO_WALL),
  console: ConsoleSpec.default(PLAIN_CONSOLE),
});
export type RunSettings = Readonly<z.infer<typeof RunSettings>>;
