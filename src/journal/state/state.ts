import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { Effect, Failure } from '../effects/effect.ts';
import type { AttemptVerdict } from '../events/attempt.ts';
import type { GatesJudged, ProofJudged, ReceiptWritten } from '../events/gates.ts';
import type { IterationResult } from '../events/run.ts';
import type { Claim } from '../words/claim.ts';
import type { Cause, Outcome, ToldCause } from '../words/outcome.ts';
import type { GateLife } from '../words/proof.ts';
import type { GivenInstruction } from './instructions.ts';
import type { CommitsSoFar, ProgressEntry, ReviewProgress, ScmProgress, Standstill } from './iteration.ts';
import type { AgentClock, LimitClock, WindowPace } from './limit-clock.ts';
import type { AskedQuestion } from './questions.ts';
import { type KeptFiles, nothingRefused, type SandboxRefusals } from './sandbox-refusals.ts';
import { noSpending, type SharedMoney, type Spending } from './spending.ts';
import { noStories, type StoriesState, type StoryTurn } from './stories-state.ts';
import { type ChildRuns, noChildren, noTask, type SupervisedTask } from './supervised-task.ts';
import { type CurrentTask, noWork, type WorkState } from './work-state.ts';

/** The fold of a journal. Its size is bounded: counters, open iterations, and the last ten closed ones. `S`: the settings of the recipe that reads it. */
export interface RunState<S extends RunSettings = RunSettings> extends SharedMoney {
  readonly run: StartedRun<S> | null;
  /** How many iterations were ever opened. The next number is one more, and none is used twice. */
  readonly opened: number;
  /** How many iterations Ralph abandoned. They do not count against limits. */
  readonly abandoned: number;
  readonly work: SeenWork;
  /** The tree at the start of the run; null when git cannot write it. */
  readonly startTree: string | null;
  /** The commit at HEAD then; absent: there was none. */
  readonly startHead?: string;
  /** Whether the two differ; absent: no. */
  readonly isDirtyAtStart?: boolean;
  readonly time: WorkedTime;
  /** The check results before the first iteration; null before they ran. */
  readonly baseline: readonly CheckFact[] | null;
  /** The gates' states before the first iteration; null while nobody has looked. */
  readonly living: readonly GateLife[] | null;
  /** Claims in a row that are held or whose gates are dead, oldest first. */
  readonly unacceptedClaims: readonly UnacceptedClaim[];
  /** How often the sealed checks ran and were not green, as far as known; absent: never. */
  readonly sealedRuns?: number;
  /** What the accepted iteration was proven by. */
  readonly proof: Proof | null;
  readonly receipt: Omit<ReceiptWritten, 'type' | 'key'> | null;
  readonly open: readonly OpenIteration[];
  readonly closed: readonly ClosedIteration[];
  /** The last iteration that is no longer in `closed` and had a claim; absent: none. */
  readonly claimedEarlier?: number;
  /** Effects that were begun and have no fact yet. */
  readonly inFlight: readonly Effect[];
  /** Agents spawned by effects in flight. After a crash exactly these are ended. */
  readonly spawned: readonly SpawnedAgent[];
  readonly spent: Spending;
  /** The operator was told that most of the cost limit is spent; absent: not yet. */
  readonly budgetNearMs?: number;
  /** Green iterations since the last review cycle began, and the number of cycles. */
  readonly reviews: { readonly greenSince: number; readonly cycles: number };
  readonly commits: CommitsSoFar;
  readonly limit: LimitClock;
  /** When each agent may be asked, by name; absent: the run has only one, or none was limited yet. */
  readonly agents?: Readonly<Record<string, AgentClock>>;
  /** How fast the run uses up the windows of its accounts, by agent and window; absent: no agent said anything. */
  readonly windows?: Readonly<Record<string, WindowPace>>;
  /** Why the last attempt failed; absent: it did not. */
  readonly cause?: LastCause;
  /** Iterations in a row in which the agent failed. */
  readonly failuresInARow: number;
  /** What repeats; absent: nobody looks for it. */
  readonly standstill?: Standstill;
  /** What the last judged iteration tells the next prompt; a green one clears it. */
  readonly failures: readonly Failure[];
  /** For a root agent: its task folder and its child runs. */
  readonly task: SupervisedTask;
  readonly children: ChildRuns;
  /** What the run knows about its plan or its stories. */
  readonly tasks: WorkState;
  readonly stories: StoriesState;
  /** What agents have asked people, oldest first: the last of them. */
  readonly questions: readonly AskedQuestion[];
  /** What the sandbox refused. */
  readonly refused: SandboxRefusals;
  /** What did not land, oldest first; absent: nothing. */
  readonly keptFiles?: readonly KeptFiles[];
  /** What people have told the run, oldest first. Absent: nothing. */
  readonly instructions?: readonly GivenInstruction[];
  /** The agents that a person wants first, by task or story; the empty name is for the whole run. */
  readonly preferredAgents?: Readonly<Record<string, string>>;
  readonly paused: boolean;
  readonly leaving: { readonly what: 'drain' | 'abort'; readonly by: string } | null;
  readonly fatal: { readonly why: string; readonly exitCode: number } | null;
  readonly stopped: Outcome | null;
}

export interface LastCause extends ToldCause {
  /** How often in a row the same failure came at once, before the agent had said or done anything. */
  readonly timesAtOnce: number;
}

export interface StartedRun<S extends RunSettings = RunSettings> {
  readonly id: string;
  /** The Ralph version it was started with. */
  readonly ralph: string;
  readonly startedAtMs: number;
  readonly settings: S;
  /** 1 at the start, one more with every resume. It tells two loops of the same run apart. */
  readonly sitting: number;
}

/** The state of a run that has started: what the code of its recipe is given. */
export interface StartedState<S extends RunSettings = RunSettings> extends RunState<S> {
  readonly run: StartedRun<S>;
}

/** The working time of a run, without the time between two sittings. */
export interface WorkedTime {
  readonly beforeMs: number;
  readonly sittingFromMs: number;
  readonly lastMs: number;
}

/** The result of one check, short enough to keep. */
export interface CheckFact {
  readonly command: string;
  readonly green: boolean;
  readonly flaky: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly sha256: string;
  /** How many tests it says it ran; null: it does not say. Absent: nobody looked. */
  readonly tests?: number | null;
  /** The most telling line of its output; empty when it is green. */
  readonly line: string;
}

export interface Proof {
  readonly tree: string | null;
  readonly where: GatesJudged['where'];
  readonly checks: readonly CheckFact[];
  /** Null: green gates where the agent worked were enough. */
  readonly judged: ProvenBy | null;
}

/** How a claim was proven, short enough to keep. */
export type ProvenBy = Pick<ProofJudged, 'verdict' | 'level' | 'changed' | 'allowed' | 'gates' | 'reason' | 'deciders' | 'sealed' | 'hint'> & {
  /** Who allowed it although deciders were changed, and when. */
  readonly allowedBy: string | null;
  readonly allowedAtMs: number | null;
};

/** A claim that was green and not accepted. */
export interface UnacceptedClaim {
  readonly iteration: number;
  readonly claim: Claim | null;
  readonly zeroWork: boolean;
  readonly proof: Proof & { readonly judged: ProvenBy };
  /** A later iteration left other files, so this is not what the run has now. */
  readonly isOutdated?: true;
}

export interface SpawnedAgent {
  readonly attempt: string;
  readonly host: string;
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}

export interface OpenIteration {
  readonly number: number;
  readonly worker: number;
  readonly openedAtMs: number;
  readonly tally: Tally;
  /** The failures of the previous iteration's gates, for this one's prompt. */
  readonly failures: readonly Failure[];
  /** The number of the last attempt begun; 0 before the first. */
  readonly attempts: number;
  /** The last attempt that may have changed the workspace, and how often the gates judged it; the number is 0 before the first. */
  readonly latest: { readonly attempt: number; readonly judgements: number };
  /** How many work attempts failed and were retried. */
  readonly repeated: number;
  /** How the last work attempt ended. */
  readonly last: EndedAttempt | null;
  /** The last gate results; null when something has run since that may have changed the workspace. */
  readonly judged: JudgedWork | null;
  /** The last attempt after which the protected paths were checked, and all paths reverted in this iteration. */
  readonly protectedPathsChecked: { readonly attempt: number; readonly judgements: number };
  readonly restored: readonly string[];
  /** The results of the same gates in a fresh checkout; null before they ran there. */
  readonly verified: JudgedWork | null;
  /** The result of putting its claim to the proof; null before that. */
  readonly proved: ProvedWork | null;
  readonly review: ReviewProgress;
  readonly scm: ScmProgress;
  /** The task of a plan it is about; null for every other iteration. */
  readonly currentTask: CurrentTask | null;
  /** What its merged result is proven by; absent before that. */
  readonly mergeProof?: { readonly onto: string; readonly proof: Proof };
  /** The turn of a story; null for every other iteration. */
  readonly turn: StoryTurn | null;
  /** Absent: its agents have not asked a person. */
  readonly hasAsked?: true;
}

export interface ProvedWork extends ProvenBy {
  readonly tree: string;
  readonly checks: readonly CheckFact[];
  readonly failures: readonly Failure[];
}

/** The steps and cost of all attempts of an iteration. The cost is null as soon as one attempt did not say. */
export interface Tally {
  readonly steps: number;
  readonly costUsd: number | null;
}

/** Whether an agent has changed anything. Files left by gates do not count. */
export interface SeenWork {
  /** The workspace's tree without any agent's work: as at the start, plus what gates added before any work was seen. Null when git cannot write it. */
  readonly baseline: string | null;
  readonly seen: boolean;
}

export interface EndedAttempt {
  readonly attempt: number;
  readonly verdict: AttemptVerdict;
  readonly claim: Claim | null;
  readonly why: string;
  readonly said?: string;
  readonly cause?: Cause;
  /** The one error with which all its tool calls failed. */
  readonly toolError?: string;
  /** What ended it says nothing of its task. */
  readonly hasCrashed?: true;
}

/** `tree` is what the gates judged, `treeAfter` what they left. All four are null when they were not asked for, or git cannot write them. */
export interface JudgedWork {
  readonly attempt: number;
  readonly green: boolean;
  readonly failures: readonly Failure[];
  /** Whether the workspace contains any agent's work; null when that cannot be told. */
  readonly changed: boolean | null;
  readonly tree: string | null;
  readonly treeAfter: string | null;
  readonly head: string | null;
  readonly headTree: string | null;
  /** What may be committed, and the files that were dirty before the start and are therefore not in it. Absent: it is `tree`. */
  readonly commitTree?: string;
  readonly dirt?: NonNullable<GatesJudged['dirt']>;
  readonly where: GatesJudged['where'];
  readonly checks: readonly CheckFact[];
  /** Why git cannot write the tree. */
  readonly problem: string | null;
}

export interface ClosedIteration {
  readonly number: number;
  readonly result: IterationResult;
  readonly claim: Claim | null;
  readonly accepted: boolean;
  readonly zeroWork: boolean;
  readonly atMs: number;
  readonly entry: ProgressEntry;
}

export const emptyState: RunState = {
  run: null,
  opened: 0,
  abandoned: 0,
  work: { baseline: null, seen: false },
  startTree: null,
  time: { beforeMs: 0, sittingFromMs: 0, lastMs: 0 },
  baseline: null,
  living: null,
  unacceptedClaims: [],
  proof: null,
  receipt: null,
  open: [],
  closed: [],
  inFlight: [],
  spawned: [],
  spent: noSpending,
  reviews: { greenSince: 0, cycles: 0 },
  commits: { count: 0, last: null, problem: null },
  limit: { untilMs: 0, strikes: 0, window: null, waitedMs: 0 },
  failuresInARow: 0,
  failures: [],
  task: noTask,
  children: noChildren,
  tasks: noWork,
  stories: noStories,
  questions: [],
  refused: nothingRefused,
  paused: false,
  leaving: null,
  fatal: null,
  stopped: null,
};
