import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { IterationResult } from '../events/run.ts';
import { noStandstill, type Standstill } from '../state/iteration.ts';
import type { CheckFact, LastCause, OpenIteration, RunState } from '../state/state.ts';
import type { CauseKind } from '../words/outcome.ts';
import { withoutAgent } from './agents.ts';

/** Compares what an iteration left with what the last ones did. The tries of a task are compared with each other only, and a supervisor has a restart policy. */
export function afterStandstill(state: RunState, iteration: OpenIteration | undefined, result: IterationResult): RunState {
  const { settings } = state.run ?? {};
  if (!settings?.limits.stuckAfter || factsOf(settings).countsStarts || factsOf(settings).hasTasks || !iteration || result === 'abandoned') return state;
  // A story that moved is progress, whatever its files are.
  if (iteration.turn?.recorded?.moved) return { ...state, standstill: noStandstill };
  return { ...state, standstill: compared(state.standstill ?? noStandstill, leftBy(iteration)) };
}

/** What repeats in the tries of one task, with the one that is about to be released. One task after another repeats nothing. */
export function standstillOfTask({ tasks }: Pick<RunState, 'tasks'>, iteration: OpenIteration): Standstill {
  return compared(tasks.standstills?.[iteration.currentTask?.task.id ?? ''] ?? noStandstill, leftBy(iteration));
}

/** The agent worked until something ended it. Every part of a long work may end like this, so only what the gates say counts. */
const CUT_OFF: ReadonlySet<CauseKind | undefined> = new Set<CauseKind>(['turns', 'budget', 'context', 'stopped']);

type Left = Pick<Standstill, 'tree' | 'gates' | 'failure' | 'toolError' | 'evidence'>;

function leftBy({ judged, turn, last, currentTask }: OpenIteration): Left {
  const checks = judged?.checks ?? [];
  const red = checks.filter(({ green }) => !green);
  const work = currentTask?.settled?.tree ?? judged?.treeAfter ?? judged?.tree ?? null;
  const tree = turn === null ? work : (turn.settled?.tree ?? turn.tree);
  const about = turn === null ? '' : `${turn.story} ${turn.mode} `;
  const told = red.filter(({ line }) => line !== '');
  const error = last !== null && last.verdict !== 'ok' && !CUT_OFF.has(last.cause?.kind) ? last.why : '';
  return {
    tree,
    gates: `${about}${checks.map(({ command, green }) => `${green ? '+' : '-'}${command}`).join('\n')}`,
    failure: error === '' ? told.map(({ command, sha256 }) => `${command}\n${sha256}`).join('\n') : error,
    toolError: last?.toolError ?? '',
    evidence: error === '' ? red.map(evidenceOf).join('; ') : error,
  };
}

const evidenceOf = ({ command, line }: CheckFact) => (line === '' ? command : `${command}: ${line}`);

function compared(before: Standstill, left: Left): Standstill {
  const isSame = left.tree !== null && left.tree === before.tree;
  const isAgain = left.tree !== null && !isSame && left.tree === before.treeBefore;
  const hasSameGates = left.gates === before.gates;
  const again = (count: number, isRepeated: boolean) => (isRepeated ? Math.max(1, count) + 1 : 1);
  return {
    ...left,
    treeBefore: before.tree,
    sameGates: again(before.sameGates, before.sameGates > 0 && hasSameGates),
    still: left.tree === null ? 0 : again(before.still, isSame && hasSameGates),
    swings: isAgain ? before.swings + 1 : 0,
    sameFailure: left.failure === '' ? 0 : again(before.sameFailure, left.failure === before.failure),
    sameToolError: left.toolError === '' ? 0 : again(before.sameToolError, left.toolError === before.toolError),
  };
}

/** How often the same failure may come at once, for each agent at work, before it counts as permanent: a full machine kills all of them in the same second. */
const MOST_AT_ONCE = 3;

/** Remembers why the last attempt failed. An attempt that ended well clears it. */
export function afterCause(state: RunState, body: AttemptEnded): RunState {
  const { cause: before, ...rest } = state;
  if (body.verdict === 'ok') return before === undefined ? state : rest;
  if (body.cause === undefined) return state;
  const timesAtOnce = body.at_once ? 1 + (before?.message === body.why ? before.timesAtOnce : 0) : 0;
  const cause = { ...body.cause, message: body.why, timesAtOnce };
  const isTooOften = timesAtOnce >= MOST_AT_ONCE * Math.max(1, state.open.length);
  return isTooOften && mayGiveUp(state, body) ? givenUp(state, cause, body.agent) : { ...state, cause };
}

/** A supervisor has a restart policy of its own, and the run can go on without a review or a message. */
function mayGiveUp({ run }: RunState, { role }: AttemptEnded): boolean {
  return role === 'work' && run !== null && !factsOf(run.settings).countsStarts;
}

/** The next attempt of this agent would fail in the same way. */
function givenUp(state: RunState, { message, timesAtOnce }: LastCause, agent: string | undefined): RunState {
  const why = `${message}. The agent failed like this ${timesAtOnce} times in a row, each time at once and without doing anything`;
  const cause: LastCause = { class: 'permanent', kind: 'repeated', message: why, timesAtOnce };
  return withoutAgent({ ...state, cause }, agent, why) ?? { ...state, cause, fatal: { why, exitCode: 4 } };
}
