import { openQuestions } from '../../journal/state/questions.ts';
import type { RunState } from '../../journal/state/state.ts';
import { howToAnswer } from '../../journal/words/claim.ts';
import { howToResume, isDone, type StopReason } from '../../journal/words/outcome.ts';
import { costText } from '../../kit/pure/amounts.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { nearBudget } from '../../limits/money.ts';

/**
 * In the order in which people look at them: an answer lets work go on, a failed task costs more time. login: an agent is logged out. budget: most of the cost
 * limit is spent. dead: a check stays green whatever is broken.
 */
export const NEED_KINDS = ['question', 'held', 'login', 'budget', 'conflict', 'kept', 'dead', 'failed', 'stuck'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** One thing that waits for a person. */
export interface Need {
  readonly kind: NeedKind;
  readonly run: string;
  /** The task or story it is about; null: the run as a whole. */
  readonly task: string | null;
  /** 0: the run as a whole. */
  readonly iteration: number;
  /** For a question, the agent's own words. */
  readonly text: string;
  /** What its agent said last, in one line; absent: nothing. Untrusted. */
  readonly said?: string;
  readonly sinceMs: number;
  /** The command that a person runs about it; `…` stands for their words. */
  readonly command: string;
}

/** Everything in a run that waits for a person, in the order of the kinds and oldest first. Whoever shows, counts or reports it uses this. */
export function needsOf(state: RunState): readonly Need[] {
  const { run, stopped } = state;
  if (run === null) return [];
  const kept = keptFiles(state, run.id);
  if (stopped !== null && isDone(stopped)) return kept;
  const needs = [...questions(state, run.id), ...heldClaims(state, run.id), ...leftTasks(state, run.id)];
  const all = [...(needs.length > 0 ? needs : stuck(state, run.id)), ...nearLimit(state, run.id), ...kept];
  return NEED_KINDS.flatMap((kind) => all.filter((need) => need.kind === kind));
}

function questions(state: RunState, run: string): readonly Need[] {
  return openQuestions(state).map(({ kind, task, iteration, text, askedAtMs }): Need => {
    const about = { run, task, iteration, text, sinceMs: askedAtMs };
    return kind === 'held' ? { kind, ...about, command: howToAccept(run, task) } : { kind: 'question', ...about, command: howToAnswer({ task }, run) };
  });
}

/** Held claims of stories are questions already. */
function heldClaims({ tasks, unacceptedClaims, stopped, time }: RunState, run: string): readonly Need[] {
  const parked = tasks.proofs?.filter(({ isParked }) => isParked) ?? [];
  const ofTasks = parked.map(
    ({ task, iteration, proof, parkedAtMs, said }): Need => ({
      ...{ kind: 'held', run, task, iteration, text: proof.reason, ...(said && { said }) },
      ...{ sinceMs: parkedAtMs ?? time.lastMs, command: howToAccept(run, task) },
    }),
  );
  const last = unacceptedClaims.at(-1);
  if (stopped?.stop_reason !== 'held' || last === undefined) return ofTasks;
  return [{ kind: 'held', run, task: null, iteration: last.iteration, text: last.proof.judged.reason, sinceMs: time.lastMs, command: howToAccept(run, null) }];
}

function leftTasks({ tasks: { left = [], proofs = [] } }: RunState, run: string): readonly Need[] {
  return left.map(({ task, state, iteration, why, said, atMs }): Need => {
    const isDead = proofs.some((each) => each.task === task && each.iteration === iteration && each.proof.verdict === 'dead');
    const kind = isDead ? 'dead' : state;
    return { kind, run, task, iteration, text: why, ...(said && { said }), sinceMs: atMs, command: howToAnswer({ task }, run) };
  });
}

const NAMED = 3;

/** The operator's own edit stayed. Whoever wants the agent's version takes it; a removed ref says that nobody does. */
function keptFiles({ keptFiles: kept = [], opened }: RunState, run: string): readonly Need[] {
  return kept.map(({ ref, paths, atMs }): Need => {
    const [names, more] = [paths.slice(0, NAMED).join(', '), paths.length > NAMED ? ' and others' : ''];
    const show = `git diff HEAD ${ref}`;
    const text = `Your own ${names}${more} stayed, and what an agent made of it is kept: look with \`${show}\`, drop it with \`git update-ref -d ${ref}\``;
    return { kind: 'kept', run, task: null, iteration: opened, text, sinceMs: atMs, command: ['git checkout', ref, '--', ...paths.map(shellQuote)].join(' ') };
  });
}

/** A run that another try alone does not help. What a limit or the operator has ended needs nobody. */
const NEEDS_HELP: ReadonlySet<StopReason> = new Set(['blocked', 'waiting', 'stuck', 'dead_gate', 'sealed_red', 'fatal']);

function stuck({ stopped, opened, questions, cause, time }: RunState, run: string): readonly Need[] {
  if (stopped === null || !NEEDS_HELP.has(stopped.stop_reason)) return [];
  const text = stopped.stop_reason === 'waiting' && questions.length > 0 ? 'Its questions are answered, and it waits to be resumed.' : stopped.message;
  const kind = stopped.stop_reason === 'dead_gate' ? 'dead' : cause?.kind === 'login' ? 'login' : 'stuck';
  return [{ kind, run, task: null, iteration: opened, text, sinceMs: time.lastMs, command: howToResume(run) }];
}

/** While there is time to raise it. Once it is spent, the run has stopped at a limit that its operator chose. */
function nearLimit(state: RunState, run: string): readonly Need[] {
  const { budgetNearMs, stopped, opened } = state;
  const near = budgetNearMs === undefined || stopped !== null || state.run === null ? null : nearBudget({ state, settings: state.run.settings });
  if (near === null || budgetNearMs === undefined) return [];
  const spent = `${costText(near.spentUsd)}${near.isEstimated ? ' (estimated)' : ''}`;
  const text = `${spent} of the cost limit of ${costText(near.limitUsd)} is spent: raise it, or the run stops there`;
  return [{ kind: 'budget', run, task: null, iteration: opened, text, sinceMs: budgetNearMs, command: `ralph watch ${run}` }];
}

function howToAccept(run: string, task: string | null): string {
  const about = task === null ? [] : ['--task', shellQuote(task)];
  return ['ralph accept', run, ...about].join(' ');
}

/** What tells a need from all others, as long as it is open. */
export function needKey({ run, kind, task, command, sinceMs }: Need): string {
  return [run, kind, task ?? '', command, ...(kind === 'question' ? [sinceMs] : [])].join('/');
}

/** A need in the form of run.json and `--json`. */
export type NeedView = Omit<Need, 'run' | 'sinceMs'> & { readonly run_id: string; readonly since: number };

export function needView({ run, sinceMs, ...need }: Need): NeedView {
  return { run_id: run, ...need, since: sinceMs };
}
