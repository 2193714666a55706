import { ClaimSpec } from '../../journal/words/claim.ts';
import * as z from '../../kit/pure/shape.ts';
import { shapeOf } from '../../kit/pure/shape-of-one.ts';
import { NotifySpec } from './notify-spec.ts';
import { Price } from './price.ts';
import { CONSOLE, SHUTDOWN_GRACE } from './rows/groups.ts';
import { shapesInRun } from './rows/in-run.ts';
import { LIMITS } from './rows/limits.ts';
import { LOOP } from './rows/loop.ts';
import { RUN } from './rows/run.ts';
import { defaultsOf } from './rows/setting-row.ts';
import { AgentSpec, NO_SANDBOX, SandboxSpec } from './sandbox-spec.ts';
import { StoriesSpec } from './stories-spec.ts';
import { WorkSpec } from './work-spec.ts';

const Ms = z.number().int().nonnegative();

/** A gate. `failAction` says how its failure enters the next prompt (seed 001). */
export const GateSpec = z.strictObject({
  command: z.string().min(1),
  failAction: z.enum(['APPEND', 'PREPEND', 'REPLACE']),
  hint: z.string().nullable(),
  timeoutMs: Ms,
  /** The highest proof level that uses this gate; absent: that of the run. */
  proof: z.enum(['off', 'green']).optional(),
  /** True: it runs beside no other gate. */
  serial: z.boolean().optional(),
});
export type GateSpec = Readonly<z.infer<typeof GateSpec>>;

/** Limits of an attempt or a wait; 0 means no limit. */
export const RunLimits = z.strictObject({
  ...shapesInRun(LIMITS),
  /** How often a failed attempt is retried in an iteration. */
  repeats: z.number().int().positive(),
  graceMs: z.strictObject(shapesInRun(SHUTDOWN_GRACE)),
});
export type RunLimits = Readonly<z.infer<typeof RunLimits>>;

/** What the version control does after a green iteration (seed 001). */
export const ScmSpec = z.strictObject({
  command: z.string().min(1),
  tasks: z.array(z.string().min(1)),
  timeoutMs: Ms,
  /** Who writes the commit message: the agent, or the loop, which names the iteration. */
  message: z.enum(['agent', 'generated']).default('agent'),
  /** False: no commit has what was dirty before the start. Absent: as true, in a journal of an older Ralph. */
  allowDirty: z.boolean().optional(),
});
export type ScmSpec = Readonly<z.infer<typeof ScmSpec>>;

/** Reviews after every so many green iterations. Each prompt gets a fresh agent, and the gates run after it. */
export const ReviewSpec = z.strictObject({
  after: z.number().int().positive(),
  /** How often one review is retried because its gates were red. */
  retryLimit: z.number().int().nonnegative(),
  prompts: z.array(z.strictObject({ name: z.string().min(1), prompt: z.string().min(1) })).min(1),
});
export type ReviewSpec = Readonly<z.infer<typeof ReviewSpec>>;

/** The limits of a whole run. */
const Budget = z.strictObject({ costUsd: z.number().positive().nullable(), timeMs: Ms });
export type Budget = Readonly<z.infer<typeof Budget>>;

/** The worktree of the run, beside the repository. */
export const OwnWorktree = z.strictObject({
  path: z.string(),
  branch: z.string(),
  /** The top of the operator's own work tree. */
  repository: z.string(),
});
export type OwnWorktree = Readonly<z.infer<typeof OwnWorktree>>;

/** Results that land in the operator's files not at once. The run works in a worktree until then. */
export const Landing = z.strictObject({
  /** green: with each commit. end: once the run has ended well. */
  when: z.enum(['green', 'end']),
  /** The branch that follows, without `refs/heads/`. */
  into: z.string().min(1),
  worktree: OwnWorktree,
});
export type Landing = Readonly<z.infer<typeof Landing>>;

/** What seed 004 adds to seed 001. */
export const LoopSpec = z.strictObject({
  /** The file of the prompt, and whether to follow its changes; null for a task. */
  spec: z.strictObject({ path: z.string(), follow: z.boolean() }).nullable(),
  ...shapesInRun(LOOP),
  budget: Budget,
  /** By the name of a model. */
  prices: z.record(z.string(), Price),
  /** Checks that must be red at the start and green at the end. `gates` contains them too. */
  witnesses: z.array(z.string()),
  /** Paths no agent may change, as git's glob patterns. */
  protect: z.array(z.string()),
  /** Whether all checks must also be green in a fresh checkout. */
  verifyClean: z.boolean(),
  worktree: OwnWorktree.nullable(),
});
export type LoopSpec = Readonly<z.infer<typeof LoopSpec>>;

/** The proof a claim needs besides green gates where the agent works. */
export const ProofSpec = z.strictObject({
  /** green: also green in a clean copy and with the deciders of the start. living: also planted failures turn the gates red. */
  level: z.enum(['green', 'living']),
  /** Deciders that agents may change, as glob patterns. */
  mayChange: z.array(z.string()),
  /** The folder of the sealed checks, absolute; absent if there are none. */
  sealed: z.string().min(1).optional(),
});
export type ProofSpec = Readonly<z.infer<typeof ProofSpec>>;

/** A root agent and its task folder (seed 002): for `supervise`, which restarts it until the folder contains DONE, and for `job`, which runs it once. */
export const SuperviseSpec = z.strictObject({
  project: z.string().min(1),
  task: z.string().min(1),
  /** Absolute: `<root>/<project>/<task>`, with DONE, the bus and the runs. */
  folder: z.string().min(1),
  /** The run that started this one; null if a person did. */
  parent: z.string().nullable(),
  /** How often the agent may run in total; 0 means never. */
  maxRestarts: z.number().int().nonnegative(),
  restartDelayMs: Ms,
  /** The pause doubles with each consecutive failure, up to this; 0 means that it stays the same. */
  backoffMs: Ms,
  /** Ralph gives up after more failures than this within this time; null means never. */
  intensity: z.strictObject({ failures: z.number().int().nonnegative(), withinMs: Ms }).nullable(),
  /** How long to wait for children after DONE. */
  waitTimeoutMs: Ms,
  pollMs: Ms,
  /** How long the agent may go on running after DONE; 0 means no limit. */
  doneGraceMs: Ms,
  waitScope: z.enum(['task', 'project']),
  /** Whether to stop children that are still running after the wait. */
  killChildren: z.boolean(),
  /** Tasks of the same project that must be done before this one starts. */
  dependsOn: z.array(z.string()),
  /** Whether the run exits with code 3 when it waits for a person or a dependency has failed. */
  failOnBlocked: z.boolean(),
  /** Extra environment variables for the agent. */
  env: z.record(z.string(), z.string()),
});
export type SuperviseSpec = Readonly<z.infer<typeof SuperviseSpec>>;

/** How the console looks. No rule reads it. */
export const ConsoleSpec = z.strictObject(shapesInRun(CONSOLE));
export type ConsoleSpec = Readonly<z.infer<typeof ConsoleSpec>>;

const COMMON = {
  prompt: z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('text'), text: z.string() }),
    z.strictObject({ from: z.literal('file'), path: z.string() }),
  ]),
  agent: AgentSpec,
  /** The agents that take over while `agent` cannot work, in this order. Absent: there are none. */
  fallback: z.array(AgentSpec).optional(),
  /** What all runs of this machine together may cost in a day, in US dollars. Absent: no limit. */
  maxCostPerDay: z.number().positive().optional(),
  /** By the name of a model, for recipes without prices of their own. */
  prices: z.record(z.string(), Price).optional(),
  /** For recipes without a budget of their own. Absent: no limit. */
  budget: Budget.optional(),
  /** Empty if a file is the claim. */
  claims: z.array(ClaimSpec),
  gates: z.array(GateSpec),
  /** How much of a red gate's output the next prompt contains, in code points; 0 means all of it. */
  outputTruncateChars: z.number().int().nonnegative(),
  includeIterationCount: z.boolean(),
  /** 0 means no limit. */
  maximumIterations: z.number().int().nonnegative(),
  lanes: z.number().int().positive(),
  ...shapesInRun(RUN),
  requireChange: z.boolean(),
  limits: RunLimits,
  scm: ScmSpec.nullable().default(null),
  reviews: ReviewSpec.nullable().default(null),
  /** Absent: work lands at once, or stays in the worktree of the loop. */
  landing: Landing.optional(),
  /** Paths no agent may change, as git's glob patterns. A loop has its own in `loop`. */
  protect: z.array(z.string()).default([]),
  /** Absent: green gates are enough. */
  proof: ProofSpec.optional(),
  wall: SandboxSpec.default(NO_SANDBOX),
  /** False: the run starts without the checks of `ralph doctor`. */
  preflight: z.boolean().optional(),
  console: ConsoleSpec.default(defaultsOf(CONSOLE)),
  /** Who is told what. No rule reads it. Absent: nobody. */
  notify: NotifySpec.optional(),
};

/** The settings that a run has whatever its recipe. */
const CommonSettings = z.strictObject(COMMON);
export type CommonSettings = Readonly<z.infer<typeof CommonSettings>>;

/** Each recipe has the group of settings that its own code reads, and none of another recipe. */
const ByRecipe = z.discriminatedUnion('recipe', [
  z.strictObject({ recipe: z.literal('run'), ...COMMON }),
  z.strictObject({ recipe: z.literal('loop'), ...COMMON, loop: LoopSpec }),
  z.strictObject({ recipe: z.literal('supervise'), ...COMMON, supervise: SuperviseSpec }),
  z.strictObject({ recipe: z.literal('job'), ...COMMON, supervise: SuperviseSpec }),
  z.strictObject({ recipe: z.literal('work'), ...COMMON, work: WorkSpec }),
  z.strictObject({ recipe: z.literal('stories'), ...COMMON, stories: StoriesSpec }),
]);

/** The settings of a run. Journaled with `run.started`; a resumed run keeps them even if the files have changed. */
export const RunSettings = shapeOf<z.infer<typeof ByRecipe>>(ByRecipe.made, (value, trouble) => ByRecipe.read(withoutOtherGroups(value), trouble));
export type RunSettings = Readonly<z.infer<typeof ByRecipe>>;
export type RecipeName = RunSettings['recipe'];
export type PlainSettings = Extract<RunSettings, { readonly recipe: 'run' }>;

/** Earlier versions wrote null for the groups of the other recipes. */
function withoutOtherGroups(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, group]) => group !== null || !['loop', 'supervise', 'work', 'stories'].includes(key)));
}

/** The settings of the runs that have this group: what the code of its recipe reads. */
export type SettingsWith<G extends 'loop' | 'supervise' | 'work' | 'stories'> = Extract<RunSettings, { readonly [K in G]: unknown }>;
