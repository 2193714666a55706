import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { Effect, Failure } from '../effects/effect.ts';
import type { AttemptVerdict } from '../events/attempt.ts';
import type { GatesJudged, ProofJudged, ReceiptWritten } from '../events/gates.ts';
import type { IterationResult } from '../events/run.ts';
import type { Claim } from '../words/claim.ts';
import type { Outcome } from '../words/outcome.ts';
import type { GateLife } from '../words/proof.ts';
import type { ProgressEntry, ReviewProgress, ScmProgress } from './iteration.ts';
import { noSpending, type Spending } from './spending.ts';
import { noStories, type StoriesState, type StoryTurn } from './stories-state.ts';
import { type ChildRuns, noChildren, noTask, type SupervisedTask } from './supervised-task.ts';
import { noWork, type TaskInHand, type WorkState } from './work-state.ts';

/** What a wall did not let through: how often, and the first of it. */
export interface RefusedByWall {
  readonly count: number;
  readonly first: readonly { readonly what: 'network' | 'write' | 'planted' | 'history'; readonly target: string }[];
}

const nothingRefused: RefusedByWall = { count: 0, first: [] };

/** What a journal adds up to. Bounded: counters, what is open, and the last ten closed iterations. */
export interface RunState {
  readonly run: StartedRun | null;
  /** How many iterations were ever opened; the next number is one more, and none is used twice. */
  readonly opened: number;
  /** How many of them we left before their end: they are not charged. */
  readonly abandoned: number;
  readonly work: SeenWork;
  /** The tree the run began with; null where git cannot name it. */
  readonly startTree: string | null;
  /** The commit that HEAD was at then; absent: there was none. */
  readonly startHead?: string;
  readonly time: WorkedTime;
  /** What the checks said before the first iteration; null while nobody asked them. */
  readonly baseline: readonly CheckFact[] | null;
  /** Which gates were alive before the first iteration; null while nobody has looked. */
  readonly living: readonly GateLife[] | null;
  /** Claims in a row that are held, or whose gates were dead, the last one last. */
  readonly unbelieved: readonly Unbelieved[];
  /** Runs of the sealed checks that were red, or of which nobody knows what came; absent: none. */
  readonly sealedRuns?: number;
  /** What the accepted iteration was proven by. */
  readonly proof: Proof | null;
  readonly receipt: Omit<ReceiptWritten, 'type' | 'key'> | null;
  readonly open: readonly OpenIteration[];
  readonly closed: readonly ClosedIteration[];
  /** Begun, and no fact yet. */
  readonly inFlight: readonly Effect[];
  /** Agents that were spawned by what is in flight: after a crash exactly these are ended. */
  readonly spawned: readonly SpawnedAgent[];
  readonly spent: Spending;
  /** Green iterations since the last review cycle began, and how many cycles there were. */
  readonly reviews: { readonly greenSince: number; readonly cycles: number };
  readonly commits: CommitsSoFar;
  readonly limit: LimitClock;
  /** Iterations in a row in which the agent came to nothing. */
  readonly failuresInARow: number;
  /** What the last judged iteration tells the next prompt; a green one clears it. */
  readonly failures: readonly Failure[];
  /** A root agent's: what is known of its task folder, and of the runs that came from it. */
  readonly task: SupervisedTask;
  readonly children: ChildRuns;
  /** What is known of the plan it works on. */
  readonly tasks: WorkState;
  /** What is known of the stories it works on. */
  readonly stories: StoriesState;
  /** What its wall did not let through. */
  readonly refused: RefusedByWall;
  /** The operator wants nothing new to be started for now. */
  readonly paused: boolean;
  readonly leaving: { readonly what: 'drain' | 'abort'; readonly by: string } | null;
  readonly fatal: { readonly why: string; readonly exitCode: number } | null;
  readonly stopped: Outcome | null;
}

export interface StartedRun {
  readonly id: string;
  /** The version it was started with. */
  readonly ralph: string;
  readonly startedAtMs: number;
  readonly settings: RunSettings;
  /** 1 when started, one more with every resume: what tells two loops of one run apart. */
  readonly sitting: number;
}

/** The time a run was at work: what lies between two sittings does not count. */
export interface WorkedTime {
  readonly beforeMs: number;
  readonly sittingFromMs: number;
  readonly lastMs: number;
}

/** What one check said, short enough to keep. */
export interface CheckFact {
  readonly command: string;
  readonly green: boolean;
  readonly flaky: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly sha256: string;
  /** How many tests it says it ran; null: it does not say. Absent: nobody looked. */
  readonly tests?: number | null;
  /** The line of its output that tells most; empty when it is green. */
  readonly line: string;
}

export interface Proof {
  readonly tree: string | null;
  readonly where: GatesJudged['where'];
  readonly checks: readonly CheckFact[];
  /** Null: green gates where the agent worked were enough. */
  readonly judged: ProvenBy | null;
}

/** What a claim was put to, short enough to keep. */
export type ProvenBy = Pick<ProofJudged, 'verdict' | 'level' | 'changed' | 'allowed' | 'gates' | 'reason' | 'deciders' | 'sealed' | 'hint'> & {
  /** Who let it pass although deciders were changed, and when. */
  readonly allowedBy: string | null;
  readonly allowedAtMs: number | null;
};

/** A claim that was green and does not count. */
export interface Unbelieved {
  readonly iteration: number;
  readonly claim: Claim | null;
  readonly zeroWork: boolean;
  readonly proof: Proof & { readonly judged: ProvenBy };
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
  readonly lane: number;
  readonly openedAtMs: number;
  readonly tally: Tally;
  /** What the previous iteration's gates tell this one's prompt. */
  readonly failures: readonly Failure[];
  /** The number of the last attempt begun; 0 before the first. */
  readonly attempts: number;
  /** The last attempt that may have changed the workspace, and how often it was judged; its number is 0 before the first. */
  readonly latest: { readonly attempt: number; readonly judgements: number };
  /** How many attempts at the work came to nothing and were given another try. */
  readonly repeated: number;
  /** How the last attempt at the work ended. */
  readonly last: EndedAttempt | null;
  /** What the gates said last; null when something has run since that may have changed the workspace. */
  readonly judged: JudgedWork | null;
  /** The last attempt after which the protected paths were looked at, and all that was put back in this iteration. */
  readonly guarded: { readonly attempt: number; readonly judgements: number };
  readonly restored: readonly string[];
  /** What the same gates said in a fresh checkout; null while nobody asked them. */
  readonly verified: JudgedWork | null;
  /** What came of putting its claim to the proof; null while that was not done. */
  readonly proved: ProvedWork | null;
  readonly review: ReviewProgress;
  readonly scm: ScmProgress;
  /** The task of a plan it is about; null for every other iteration. */
  readonly hand: TaskInHand | null;
  /** What its merged result is proven by; absent before that was put to the proof. */
  readonly mergeProof?: { readonly onto: string; readonly proof: Proof };
  /** The turn of a story it is; null for every other iteration. */
  readonly turn: StoryTurn | null;
}

export interface ProvedWork extends ProvenBy {
  readonly tree: string;
  readonly checks: readonly CheckFact[];
  readonly failures: readonly Failure[];
}

/** What the attempts of an iteration took together. */
export interface Tally {
  readonly steps: number;
  /** Null as soon as one attempt did not say. */
  readonly costUsd: number | null;
}

export interface CommitsSoFar {
  readonly count: number;
  readonly last: { readonly commit: string; readonly tree: string; readonly message: string } | null;
  /** Why the SCM tasks of the last green iteration came to nothing; null when they did not. */
  readonly problem: string | null;
}

/** Whether an agent has changed anything, told apart from what gates leave behind. */
export interface SeenWork {
  /** The workspace without any agent's work: as it was at the start, and what gates added while no work was seen. Null: it cannot be named. */
  readonly baseline: string | null;
  readonly seen: boolean;
}

export interface EndedAttempt {
  readonly attempt: number;
  readonly verdict: AttemptVerdict;
  readonly claim: Claim | null;
  readonly why: string;
}

/** `tree` is what the gates were given, `treeAfter` what they left; all four are null when they could not be named or were not asked for. */
export interface JudgedWork {
  readonly attempt: number;
  readonly green: boolean;
  readonly failures: readonly Failure[];
  /** Whether the workspace holds any agent's work; null when that cannot be told. */
  readonly changed: boolean | null;
  readonly tree: string | null;
  readonly treeAfter: string | null;
  readonly head: string | null;
  readonly headTree: string | null;
  readonly where: GatesJudged['where'];
  readonly checks: readonly CheckFact[];
  /** Why git cannot name the tree. */
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

/** When the agent may be asked again. Strikes are limits in a row; any other ending clears them. */
export interface LimitClock {
  readonly untilMs: number;
  readonly strikes: number;
  readonly window: string | null;
  /** The sum of all waits ordered since the run was started or resumed. */
  readonly waitedMs: number;
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
  unbelieved: [],
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
  refused: nothingRefused,
  paused: false,
  leaving: null,
  fatal: null,
  stopped: null,
};
