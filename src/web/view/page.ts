import type { IterationResult } from '../../journal/events/run.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import type { CostSumView } from '../../journal/state/spending.ts';
import type { Standing } from '../../plans/graph/standing.ts';
import type { NeedView } from '../../report/needs/needs.ts';
import type { RunReport } from '../../report/run-report/report-view.ts';
import type { AgentStats } from '../../report/run-report/run-stats.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import type { WatchView } from '../../watch/view/watched-run.ts';

/** What `ralph ui` sends to its page. Times are epoch ms. Every text is untrusted: it may quote an agent. */
export interface Overview {
  readonly project: string;
  /** Whether actions are refused. */
  readonly read_only: boolean;
  readonly today: TodayView;
  readonly quota: readonly QuotaView[];
  /** What waits for a person in all runs, the most urgent first. */
  readonly needs: readonly NeedItem[];
  /** Newest first. */
  readonly runs: readonly RunLine[];
  /** Older runs that are not listed. */
  readonly runs_left_out: number;
  /** With `--store`: the fleets as they were last seen, and why that is not now. */
  readonly fleets?: { readonly seen: readonly FleetView[]; readonly trouble: string | null };
}

export interface TodayView extends CostSumView {
  readonly proven: number;
  readonly claimed: number;
  readonly refused: number;
}

export interface QuotaView {
  readonly account: string;
  readonly window: string;
  /** 1 for all of it; null: nobody said. */
  readonly used: number | null;
  readonly resets_at: number | null;
  readonly rejected: boolean;
  /** The used share as it grew, oldest first. */
  readonly burn: readonly { readonly at: number; readonly used: number }[];
  /** When it is used up at this pace; null: not before it is reset, or nobody can tell. */
  readonly fits_until: number | null;
}

export interface NeedItem extends NeedView {
  readonly key: string;
  /** What a person can do about it on the page; null: only with the command. */
  readonly can: 'answer' | 'accept' | 'retry' | 'resume' | 'budget' | null;
}

/** A run in the list. */
export interface RunLine {
  readonly run_id: string;
  /** The folder of its project, for a page of several. */
  readonly project: string;
  readonly recipe: string;
  readonly title: string;
  readonly standing: WatchView['standing'];
  readonly status: string;
  readonly started_at: number;
  readonly last_at: number;
  readonly progress: WatchView['progress'];
  readonly cost_usd: number | null;
  readonly done: boolean;
  readonly row: RunRow;
}

/** The last iterations of a run as a small drawing: a line for each worker, 1000 wide. */
export interface RunRow {
  readonly workers: number;
  /** Parts of an SVG path by the verdict that colours them. */
  readonly paths: Readonly<Record<string, string>>;
}

/** One iteration on a time line. */
export interface Bar {
  readonly iteration: number;
  readonly worker: number;
  readonly task: string | null;
  readonly from: number;
  /** Null while it is open. */
  readonly to: number | null;
  readonly result: IterationResult | null;
  /** Whether it ended with a claim that was proven. */
  readonly proven: boolean;
  /** Whether its agent asked a person: an answer is what is missing, and nothing was red. */
  readonly asks: boolean;
  readonly ticks: readonly Tick[];
  readonly waits: readonly Wait[];
}

/** A judgement by gates. */
export interface Tick {
  readonly at: number;
  readonly green: boolean;
  readonly what: 'gates' | 'proof' | 'merge';
}

export interface Wait {
  readonly from: number;
  /** Null: it lasts. */
  readonly to: number | null;
  readonly why: string;
}

/** One run at one moment: now, or at any event of its journal. */
export interface RunPage {
  readonly run_id: string;
  /** The position in the journal that this page is the fold of. */
  readonly seq: number;
  /** The last known position. */
  readonly last_seq: number;
  /** The time of the event at `seq`. */
  readonly at: number;
  readonly watch: Omit<WatchView, 'needs'>;
  readonly report: Omit<RunReport, 'iterations' | 'run_folder'>;
  readonly bars: readonly Bar[];
  /** Null: it has no plan. */
  readonly tasks: readonly TaskNode[] | null;
  /** Empty for a run that merges nothing. */
  readonly merges: readonly MergeView[];
  /** What people have told the run, the newest first. */
  readonly requests: readonly RequestView[];
  /** What they have sent, and nobody has read yet. */
  readonly sent: readonly SentView[];
  /** The agents that can work, the usual one first. */
  readonly agents: readonly string[];
  /** What the run may cost in all; null: there is no limit. */
  readonly cost_limit_usd: number | null;
  readonly can: readonly RunAction[];
}

export type RunAction = 'pause' | 'go-on' | 'drain' | 'stop' | 'resume' | 'note' | 'budget' | 'skip' | 'retry';

export interface RequestView {
  readonly at: number;
  readonly by: string;
  readonly text: string;
  /** Null: the run has read it, and it has not taken effect yet. */
  readonly applied_at: number | null;
}

export type SentView = Omit<RequestView, 'applied_at'>;

/** judged: its checks come before the merge. queued: another one is merged first. The others are results. */
export interface MergeView {
  readonly task: string;
  readonly iteration: number;
  readonly since: number;
  /** Null: it has no result yet. */
  readonly at: number | null;
  readonly state: 'judged' | 'queued' | 'merging' | MergeJudged['result'];
  readonly why: string;
  readonly commit: string | null;
  /** The tasks that became ready by it. */
  readonly unlocked: readonly string[];
}

export interface TaskNode {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly standing: Standing;
}

/** One iteration with its evidence. */
export interface IterationPage {
  readonly iteration: number;
  /** The attempt that its stream is of; null: no agent has begun. */
  readonly attempt: string | null;
  readonly task: string | null;
  readonly from: number;
  readonly to: number | null;
  readonly result: IterationResult | null;
  readonly claim: string | null;
  /** Which of its attempts claimed it. */
  readonly claim_attempt: string | null;
  readonly accepted: boolean;
  readonly cost_usd: number | null;
  readonly attempts: readonly AttemptView[];
  readonly proofs: readonly ProofView[];
  readonly restored: readonly string[];
  readonly refused: readonly string[];
  /** What the sandbox refused while it was open; in a run with several workers it may have been another one's agent. */
  readonly sandbox: readonly string[];
  /** Whether its changes can be shown. */
  readonly has_changes: boolean;
}

export interface AttemptView {
  readonly attempt: string;
  readonly role: string;
  readonly verdict: string;
  readonly why: string;
  readonly duration_ms: number;
  readonly tools: number;
}

/** One judgement: its gates with their outputs. */
export interface ProofView {
  readonly at: number;
  readonly where: string;
  readonly green: boolean;
  /** What is in the way; empty when nothing is. */
  readonly reason: string;
  readonly gates: readonly GateView[];
}

export interface GateView {
  readonly command: string;
  readonly green: boolean;
  readonly flaky: boolean;
  readonly ending: string;
  readonly duration_ms: number;
  /** May contain colours of a terminal. */
  readonly ansi: string;
}

/** What agents say, as the page shows it. */
export interface AgentEntry {
  readonly kind: 'say' | 'think' | 'tool' | 'result' | 'todo' | 'note' | 'error';
  /** The tool; empty for all others. */
  readonly name: string;
  /** What a call and its result have in common; null: the agent does not say. */
  readonly id: string | null;
  readonly ok: boolean;
  /** May contain colours of a terminal. */
  readonly ansi: string;
}

/** One run as a file: everything that its page asks a server for. */
export interface ExportedRun {
  readonly overview: Overview;
  readonly page: RunPage;
  /** The run at some of its events, in order. */
  readonly moments: readonly RunPage[];
  readonly history: HistoryView;
  /** By the number of the iteration. */
  readonly iterations: Readonly<Record<string, IterationPage>>;
  readonly agents: Readonly<Record<string, { readonly attempt: string; readonly entries: readonly AgentEntry[] }>>;
  /** Patches by the number of the iteration; 0 is the whole run. */
  readonly diffs: Readonly<Record<string, string>>;
}

/** Days, gates and agents over all runs. */
export interface HistoryView {
  readonly days: readonly DayView[];
  readonly gates: readonly GateStats[];
  readonly agents: readonly AgentLine[];
}

export interface DayView extends TodayView {
  readonly date: string;
}

export interface GateStats {
  readonly command: string;
  readonly runs: number;
  readonly red: number;
  readonly mean_ms: number;
  readonly slowest_ms: number;
}

export type AgentLine = Pick<AgentStats, 'agent' | 'model' | 'runs' | 'proven' | 'results' | keyof CostSumView>;
