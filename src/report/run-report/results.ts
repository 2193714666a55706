import { openQuestions } from '../../journal/state/questions.ts';
import type { Proof, RunState } from '../../journal/state/state.ts';
import type { ProofLevel } from '../../journal/words/proof.ts';
import { factsOf, ownWorktreeOf, takesSomeTasks } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { type ItemFigures, isOneItem, itemsSoFar, WHOLE_RUN } from '../history/figures.ts';
import type { DoneRecord, ItemRecord } from '../history/items.ts';
import type { RunHistory } from '../history/run-history.ts';
import type { NotBegunView, NotProvenView, ProvenView, RunReport } from './report-view.ts';

const NOTHING: ItemRecord = { done: null, ending: null, red: [], reds: [], receipt: null };

/** What is done and proven, in the order in which it was begun. */
export function proven({ state, figures, items }: RunHistory): readonly ProvenView[] {
  return itemsSoFar(figures).flatMap((figure) => {
    const { done, receipt } = items.get(figure.id) ?? NOTHING;
    return done !== null && figure.isProven && state.run !== null ? [provenView(figure, { done, receipt }, state)] : [];
  });
}

type Done = Pick<ItemRecord, 'receipt'> & { readonly done: DoneRecord };

function provenView({ id, title }: ItemFigures, { done: { atMs, proof, commit, isReviewed = false }, receipt }: Done, state: RunState): ProvenView {
  const judged = proof?.judged ?? null;
  const settings = state.run?.settings ?? null;
  return {
    task: id === WHOLE_RUN ? null : id,
    title,
    level: levelOf(proof, settings),
    gates: gatesOf(proof, settings),
    reviewed: isReviewed ? reviewOf(id, state) : null,
    commit,
    receipt: receipt ?? null,
    changed: judged?.changed.map(({ path }) => path) ?? [],
    allowed_by: judged?.allowedBy ?? null,
    at: atMs,
  };
}

/** Where a root agent says DONE, the gates run in place and no proof is recorded. */
function levelOf(proof: Proof | null, settings: RunSettings | null): ProofLevel | null {
  if (proof === null) return (settings?.gates.length ?? 0) > 0 && factsOf(settings).countsStarts ? 'place' : null;
  if (proof.judged !== null) return proof.judged.level;
  if (proof.checks.length === 0) return null;
  return proof.where === 'workspace' ? 'place' : 'green';
}

function gatesOf(proof: Proof | null, settings: RunSettings | null): ProvenView['gates'] {
  if (proof === null) return settings && factsOf(settings).countsStarts ? settings.gates.map(({ command }) => ({ command, tests: null, flaky: false })) : [];
  return proof.checks.map(({ command, tests = null, flaky }) => ({ command, tests, flaky }));
}

function reviewOf(id: string, { stories: { atCap, weak = [] } }: RunState): ProvenView['reviewed'] {
  if (atCap.includes(id)) return 'at_cap';
  return weak.includes(id) ? 'weak' : 'approved';
}

/** What is not proven, and why: tasks and stories that agents of the run have worked on, or the run itself. */
export function notProven(history: RunHistory, status: RunReport['status']): readonly NotProvenView[] {
  const { state, figures } = history;
  const known = itemsSoFar(figures);
  if (isOneItem(state.run?.settings ?? null)) return notProvenRun(history, status, known[0]);
  return known.filter((figure) => figure.id !== WHOLE_RUN && isBegun(figure, history)).flatMap((figure) => notProvenItem(figure, history, status));
}

/** Whether there is anything to say of it: not when Ralph left before it started an agent. */
export function isBegun({ id, spent, doneAtMs }: ItemFigures, { items, state }: RunHistory): boolean {
  const ending = items.get(id)?.ending ?? null;
  const isOpen = state.open.some(({ currentTask, turn }) => currentTask?.task.id === id || turn?.story === id);
  return spent.attempts > 0 || doneAtMs !== null || isOpen || (ending !== null && ending.state !== 'interrupted');
}

/** The tasks and stories of the list that no agent of this run has worked on and that are not done, and how many: a filter leaves only their number. */
export function notBegun(history: RunHistory): { readonly count: number; readonly named: readonly NotBegunView[] } {
  const { state, figures, tasks } = history;
  const begun = new Set(itemsSoFar(figures).flatMap((figure) => (isBegun(figure, history) ? [figure.id] : [])));
  if (takesSomeTasks(state.run?.settings)) {
    const { total = 0, completeBefore = 0 } = state.tasks.planned ?? {};
    return { count: Math.max(0, total - completeBefore - begun.size), named: [] };
  }
  const stories = state.stories.plan?.userStories.map(({ id, title, passes }) => ({ id, title, isDone: passes }));
  const listed = stories ?? tasks?.map(({ id, title, standing }) => ({ id, title, isDone: standing === 'complete' })) ?? [];
  const named = listed.filter(({ id, isDone }) => !isDone && !begun.has(id)).map(({ id, title }) => ({ task: id, title }));
  return { count: named.length, named };
}

const untouched = { agent_said: null, waits_for_a_person: false, branch: null, red: [] };
const UNCHECKED = 'it counts as done, but nothing was configured that could prove it';

function notProvenItem({ id, title, doneAtMs, isProven }: ItemFigures, { items, state }: RunHistory, status: RunReport['status']): readonly NotProvenView[] {
  const { ending, red } = items.get(id) ?? NOTHING;
  const about = { task: id, title };
  if (doneAtMs !== null) return isProven ? [] : [{ ...untouched, ...about, state: 'unchecked', why: UNCHECKED }];
  const isOpen = state.open.some(({ currentTask, turn }) => currentTask?.task.id === id || turn?.story === id);
  if (isOpen) return [{ ...untouched, ...about, ...openEnding(status), red }];
  const { state: how = 'unfinished', why = '', said: agent_said = null, isLeft = false, branch = null } = ending ?? {};
  const question = openQuestions(state).find(({ task }) => task === id);
  if (question !== undefined && question.kind !== 'held')
    return [{ ...about, state: 'asks', why: question.text, agent_said: null, waits_for_a_person: true, branch, red }];
  return [{ ...about, state: how, why, agent_said, waits_for_a_person: isLeft || question !== undefined, branch, red }];
}

function openEnding(status: RunReport['status']): Pick<NotProvenView, 'state' | 'why'> {
  if (status === 'dead') return { state: 'interrupted', why: 'the loop died before it was done' };
  return { state: 'running', why: status === 'unknown' ? 'somebody may be at work on it elsewhere' : 'it is being worked on' };
}

function notProvenRun({ state, items }: RunHistory, status: RunReport['status'], figure: ItemFigures | undefined): readonly NotProvenView[] {
  const { ending, red } = items.get(WHOLE_RUN) ?? NOTHING;
  const about = { task: null, title: '', branch: ownWorktreeOf(state.run?.settings)?.branch ?? null };
  if (figure?.doneAtMs != null) return figure.isProven ? [] : [{ ...untouched, ...about, state: 'unchecked', why: UNCHECKED }];
  const { stopped } = state;
  if (stopped === null) return [{ ...untouched, ...about, ...openEnding(status), red }];
  const how = stopped.stop_reason === 'held' ? 'held' : stopped.stop_reason === 'interrupted' ? 'interrupted' : (ending?.state ?? 'failed');
  return [{ ...about, state: how, why: stopped.message, agent_said: ending?.said ?? null, waits_for_a_person: stopped.exit_code === 3, red }];
}
