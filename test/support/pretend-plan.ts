import type { Effect } from '../../src/journal/effects/effect.ts';
import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { GatesJudged } from '../../src/journal/events/gates.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { MergeJudged } from '../../src/journal/events/work.ts';
import type { PlanTask } from '../../src/journal/words/plan.ts';
import type { GateLife } from '../../src/journal/words/proof.ts';
import type { TaskRegister } from '../../src/journal/words/task-register.ts';
import { type Hold, selectTask } from '../../src/plans/graph/select-task.ts';
import { workSpecOf } from '../../src/settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { judged } from './run-events.ts';

/** How the nth agent on a task fares: what it ends with, whether it says that it is complete, and what its result is worth. */
export interface Turn {
  readonly ended?: Partial<AttemptEnded>;
  readonly claims?: boolean;
  readonly gates?: 'red';
  readonly merge?: Partial<MergeJudged>;
  readonly refused?: readonly string[];
  /** Protected paths that were put back. */
  readonly restored?: readonly string[];
  readonly settle?: string;
  /** Whether it left everything as it was. */
  readonly idle?: boolean;
  readonly open?: string;
  /** What planted failures show of a gate. */
  readonly life?: GateLife['state'];
}

/** What outlives a run: plan and registers. */
export interface PretendPlan {
  tasks: PlanTask[];
  readonly registers: Map<string, { n: number; register: TaskRegister }>;
  /** Tasks whose holder has died with its loop. */
  readonly dead: Set<string>;
  /** Every merge that moved the base, in order. */
  readonly merged: string[];
}

export const pretendPlan = (tasks: readonly PlanTask[]): PretendPlan => ({ tasks: [...tasks], registers: new Map(), dead: new Set(), merged: [] });

interface Told {
  readonly turn: Turn;
  readonly settings: RunSettings;
  readonly nowMs: number;
}

/** What becomes of every effect but an agent. */
export function factOf(effect: Effect, plan: PretendPlan, told: Told): EventBody {
  const fact = FACTS[effect.kind];
  if (!fact) throw new Error(`${effect.kind} is none of a crew's.`);
  return fact(effect as never, plan, told);
}

const FACTS: { readonly [K in Effect['kind']]?: (effect: Extract<Effect, { kind: K }>, plan: PretendPlan, told: Told) => EventBody } = {
  'take-task': take,
  'open-workspace': ({ key, iteration, branch }, _plan, { turn }) => {
    return { type: 'workspace.opened', key, iteration, path: '/w', cwd: '/w', branch, base: 'b0', head: 'h0', problem: turn.open ?? null };
  },
  'settle-plan': ({ key, iteration }, _plan, { turn }) => {
    const settled = {
      claimed: false,
      accepted: [],
      refused: [...(turn.refused ?? [])],
      edits: [],
      head: turn.idle ? 'h0' : 'h',
      tree: 't',
      changed: !turn.idle,
      restored: [...(turn.restored ?? [])],
      kept: null,
    };
    return { type: 'plan.settled', key, iteration, ...settled, problem: turn.settle ?? null };
  },
  'run-gates': ({ key, iteration, gates }, _plan, { turn }) => {
    return {
      ...judged(
        iteration,
        gates.map((gate) => [gate, turn.gates === 'red' ? 1 : 0] as const),
      ),
      key,
    } as EventBody;
  },
  'find-living': ({ key, gates }, _plan, { turn }) => {
    return { type: 'living.found', key, gates: gates.map(({ command }) => ({ command, state: turn.life ?? 'living', files: ['a.test.js'], why: '' })) };
  },
  merge: (effect, plan, { turn }) => merge(effect, plan, turn),
  'write-receipt': ({ key, receipt }) => {
    const { merged, commit } = receipt;
    return { type: 'receipt.written', key, file: `/run/receipts/${merged?.id}.json`, commit, signed_by: 'sha256:k', task: merged?.id ?? '' };
  },
  'bring-base': ({ key, iteration }) => ({ type: 'base.brought', key, iteration, base: 'b1', conflicts: ['a.txt'], problem: null }),
  'release-task': release,
  'answer-task': answer,
  'close-workspace': ({ key, iteration }) => ({ type: 'workspace.closed', key, iteration, kept: null, problem: null }),
};

const HOLDER = { name: 'r/1', run: 'r', lane: 1, process: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };

function selectionFrom(plan: PretendPlan, settings: RunSettings, skip: readonly string[] = []) {
  const holds = new Map<string, Hold>(
    [...plan.registers].map(([id, { n, register }]) => [id, { n, register, liveness: plan.dead.has(id) ? ('dead' as const) : ('alive' as const) }]),
  );
  const filter = workSpecOf(settings)?.filter ?? { story: null, milestone: null, tags: [] };
  const tasks = plan.tasks.map((task) => (skip.includes(task.id) && task.status !== 'complete' ? { ...task, status: 'blocked' as const } : task));
  return selectTask({ project: '', tasks, stories: [], milestones: [], verify: [] }, holds, filter);
}

function take(effect: Extract<Effect, { kind: 'take-task' }>, plan: PretendPlan, { settings, nowMs }: Omit<Told, 'turn'>): EventBody {
  const { key, lane } = effect;
  const selection = selectionFrom(plan, settings, effect.skip);
  if (selection.kind === 'nothing') return { type: 'task.none', key, ...selection, held: false } as EventBody;
  const { task } = selection;
  const before = plan.registers.get(task.id);
  plan.dead.delete(task.id);
  const n = (before?.n ?? 0) + 1;
  const { tries = 0, feedback = '', branch = null, claim, answers } = before?.register ?? {};
  const passedOn = { tries, feedback, ...(claim && { claim }), ...(answers && { answers }) };
  plan.registers.set(task.id, { n, register: { state: 'held', holder: HOLDER, key, at: nowMs, branch, base: null, ...passedOn } });
  return { type: 'task.taken', key, lane, task, n, from: branch, prompt: null, ...passedOn };
}

function merge({ key, iteration, task }: Extract<Effect, { kind: 'merge' }>, plan: PretendPlan, turn: Turn): EventBody {
  const nothing = { results: [], missing: [], conflicts: [], kept: null, left_behind: null, unlocked: [], detail: '' };
  const fact = { type: 'merge.judged' as const, key, iteration, result: 'merged' as const, commit: 'c', tree: 'with-plan', ...nothing, ...turn.merge };
  if (fact.result !== 'merged') return { ...fact, commit: null };
  plan.merged.push(task.id);
  plan.tasks = plan.tasks.map((other) => (other.id === task.id ? { ...other, status: 'complete' } : other));
  return fact;
}

function release(effect: Extract<Effect, { kind: 'release-task' }>, plan: PretendPlan, { settings }: Told): EventBody {
  const { key, iteration, task, n, state, branch, base, tries, feedback, claim, question, answers } = effect;
  const was_ours = plan.registers.get(task)?.n === n;
  const left = { ...(claim && { claim }), ...(question && { question }), ...(answers && { answers }) };
  if (was_ours) plan.registers.set(task, { n: n + 1, register: { state, holder: null, key, at: 0, branch, base, tries, feedback, ...left } });
  const selection = iteration === 0 ? null : selectionFrom(plan, settings);
  const none = selection?.kind === 'nothing' ? { reason: selection.reason, held: false, counts: selection.counts, detail: selection.detail } : null;
  return { type: 'task.released', key, iteration, task, state, was_ours, ...(none && { none }) };
}

function answer(effect: Extract<Effect, { kind: 'answer-task' }>, plan: PretendPlan): EventBody {
  const { key, task, n, answers } = effect;
  const before = plan.registers.get(task);
  const isWaiting = before !== undefined && ['parked', 'failed', 'conflict'].includes(before.register.state);
  const was_ours = isWaiting && (n === undefined ? true : before.n === n && before.register.state === 'parked');
  if (was_ours) {
    const { question: _, ...kept } = before.register;
    plan.registers.set(task, { n: before.n + 1, register: { ...kept, state: 'free', key, answers, ...(n === undefined && { tries: 0 }) } });
  }
  return { type: 'task.answered', key, task, ...(n !== undefined && { n }), was_ours };
}

/** What is told of a merge before the base moves. */
export function provenBefore({ key, iteration, gates }: Extract<Effect, { kind: 'merge' }>, { merge: came }: Turn): EventBody | null {
  if (came?.result !== undefined && came.result !== 'merged') return null;
  const { proof } = came ?? {};
  const told = judged(
    iteration,
    gates.map((gate) => [gate, 0] as const),
  ) as GatesJudged;
  return { type: 'merge.proven', key, iteration, onto: 'b1', tree: 'merged', results: told.results, ...(proof && { proof }) };
}

/** What came of an effect in which the loop died, as the real handlers would find it. */
export function found(effect: Effect, plan: PretendPlan): EventBody | null {
  if (effect.kind === 'merge' && plan.merged.includes(effect.task.id)) return merge(effect, { ...plan, merged: [] }, {});
  if (effect.kind !== 'take-task') return null;
  const held = [...plan.registers].find(([, { register }]) => register.key === effect.key && register.state === 'held');
  if (held) plan.dead.delete(held[0]);
  const task = held && plan.tasks.find(({ id }) => id === held[0]);
  if (!held || !task) return null;
  const { tries, feedback, branch } = held[1].register;
  return { type: 'task.taken', key: effect.key, lane: effect.lane, task, n: held[1].n, tries, feedback, from: branch, prompt: null };
}
