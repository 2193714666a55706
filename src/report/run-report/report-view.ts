import type { IterationResult } from '../../journal/events/run.ts';
import type { ProofLevel } from '../../journal/words/proof.ts';
import type { ItemEnding, RedCheck } from '../history/items.ts';
import type { Refusal } from '../history/refusals.ts';
import type { Tone } from '../history/timeline.ts';
import type { SandboxView } from '../views/run-view.ts';

/** What somebody has to know about a run in the morning, in the form of `ralph report --json`. Times are epoch ms. */
export interface RunReport {
  readonly run_id: string;
  readonly recipe: string;
  /** The task, or the plan. */
  readonly title: string;
  /** running: it goes on, so all of this is as of now. dead: its process ended without recording an outcome. unknown: it may run elsewhere. */
  readonly status: 'running' | 'stopped' | 'dead' | 'unknown';
  readonly stop_reason: string | null;
  readonly message: string | null;
  readonly exit_code: number | null;
  readonly done: boolean;
  readonly started_at: number;
  readonly last_at: number;
  readonly run_folder: string;
  readonly worktree: { readonly path: string; readonly branch: string } | null;
  readonly sandbox: SandboxView;
  readonly gates: readonly string[];
  readonly totals: TotalsView;
  readonly proven: readonly ProvenView[];
  readonly not_proven: readonly NotProvenView[];
  /** Tasks and stories that no agent has worked on, as far as their names are known. */
  readonly not_begun: readonly NotBegunView[];
  readonly questions: readonly QuestionView[];
  readonly next: readonly NextCommand[];
  readonly refused: readonly RefusedView[];
  readonly refused_left_out: number;
  readonly by_task: readonly TaskView[];
  readonly by_agent: readonly AgentView[];
  readonly timeline: readonly TimelineView[];
  /** How many entries before the last ones are left out of a long timeline. */
  readonly timeline_left_out: number;
  readonly iterations: readonly IterationView[];
  readonly iterations_left_out: number;
}

/** Costs are in US dollars; null: unknown. The parts add up to the totals. */
export interface SpentView {
  readonly attempts: number;
  readonly cost_usd: number | null;
  /** True when part of it was estimated. */
  readonly cost_estimated: boolean;
  readonly tokens: { readonly input: number; readonly cache_read: number; readonly cache_write: number; readonly output: number };
  readonly tools: number;
  readonly tool_errors: number;
}

export interface TotalsView extends SpentView {
  readonly proven: number;
  readonly not_proven: number;
  /** Tasks or stories that no agent has worked on. */
  readonly not_begun: number;
  readonly iterations: number;
  /** The time that the run worked, without the time in which it was stopped. */
  readonly duration_ms: number;
  /** A cost limit was asked for and cannot be kept, because an agent tells neither its cost nor its tokens. */
  readonly cost_limit_unseen: boolean;
  readonly cost_per_proven_usd: number | null;
}

export interface ProvenView {
  /** Null: the run as a whole. */
  readonly task: string | null;
  readonly title: string;
  /** place: green where the agent worked. Null: no gate; a review proved it. */
  readonly level: ProofLevel | null;
  readonly gates: readonly { readonly command: string; readonly tests: number | null; readonly flaky: boolean }[];
  /** How a story was reviewed. Null: nobody reviewed it. */
  readonly reviewed: 'approved' | 'weak' | 'at_cap' | null;
  readonly commit: string | null;
  readonly receipt: string | null;
  /** Changed tests or settings that somebody allowed, and who. */
  readonly changed: readonly string[];
  readonly allowed_by: string | null;
  readonly at: number;
}

export interface NotProvenView {
  readonly task: string | null;
  readonly title: string;
  /** running: an agent is at work. unchecked: it counts as done, but nothing was configured that could prove it. asks: its agent needs an answer. */
  readonly state: ItemEnding['state'] | 'running' | 'unchecked' | 'asks';
  readonly why: string;
  /** What its agent said last, in one line; null: nothing, or it is the reason. Untrusted. */
  readonly agent_said: string | null;
  /** Whether nobody will retry it without a person. */
  readonly waits_for_a_person: boolean;
  readonly branch: string | null;
  readonly red: readonly RedCheck[];
}

export interface NotBegunView {
  readonly task: string;
  readonly title: string;
}

export interface QuestionView {
  readonly task: string | null;
  readonly kind: string;
  readonly text: string;
}

/** Something that Ralph did not let stand. */
interface RefusedView extends Pick<Refusal, 'kind' | 'iteration' | 'text'> {
  readonly task: string | null;
}

/** A command that is ready to be copied, and what it is for. */
export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

export interface TaskView extends SpentView {
  readonly task: string | null;
  readonly title: string;
  readonly done: boolean;
  /** Whether an agent has worked on it. */
  readonly begun: boolean;
  readonly iterations: number;
  readonly duration_ms: number;
}

export interface AgentView extends SpentView {
  readonly agent: string;
  readonly model: string | null;
  readonly iterations: number;
  readonly duration_ms: number;
  /** How many of its attempts failed, by their cause. */
  readonly failed: Readonly<Record<string, number>>;
}

interface TimelineView {
  readonly at: number;
  readonly iteration: number | null;
  readonly task: string | null;
  readonly tone: Tone;
  readonly text: string;
}

export interface IterationView {
  readonly iteration: number;
  readonly worker: number;
  readonly task: string | null;
  readonly from: number;
  /** For an open iteration, the last event. */
  readonly to: number;
  /** Null: it did not end. */
  readonly result: IterationResult | null;
}
