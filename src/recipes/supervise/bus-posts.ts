import type { Effect } from '../../journal/effects/effect.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { type BodyOf, type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { longDuration } from '../../report/console/spent-text.ts';
import { attemptEndedPosts, type BusPost, messageOf, restartNumber } from './bus-posts-of-an-attempt.ts';
import { isRestarted, type SuperviseState } from './supervised-task.ts';

type Words = readonly [type: string, body: string];

/** The bus messages for an event, in the words that people and agents know (seed 002). */
export function busPostsFor({ body }: JournalEvent, before: SuperviseState, state: SuperviseState): readonly BusPost[] {
  if (body.type === 'attempt.ended') return attemptEndedPosts(body, state);
  return (lookUp(linesByType, body, before, state) ?? []).map(([type, text]) => ({ message: messageOf(state, type, text), stderrOf: null }));
}

/** Events that are missing here are not posted. */
const linesByType: EventTable<[before: SuperviseState, state: SuperviseState], readonly Words[]> = {
  'effect.begun': ({ effect }, _before, state) => begunWords(effect, state),
  'attempt.spawned': ({ attempt }, _before, state) => [['RUN_START', `run started\nrun_dir: ${runFolder(state)}\nattempt: ${attempt}`]],
  'task.seen': (_body, before, state) => dependencyWords(before, state),
  'dependencies.seen': (_body, before, state) => dependencyWords(before, state),
  'done.refused': (body, before) => refusedWords(body, before),
  'child.refused': ({ run, why }) => [['WARNING', `child ${run} was not started: ${why}`]],
  'children.awaited': ({ active }) => [['INFO', `waiting for ${active.length} children to complete: ${listed(active)}`]],
  'children.outlived': ({ active }, _before, state) => [['WARNING', `timeout waiting for children after ${waitTimeout(state)}: ${listed(active)}`]],
  'children.ended': (body) => endedWords(body),
  posted: ({ key, problem }) =>
    problem === null || key !== 'post:completion' ? [] : [['ERROR', `the project could not be told of the completion: ${problem}`]],
  'run.stopped': ({ outcome }, _before, state) => (isRestarted(state) ? stoppedWords(outcome, state) : jobWords(outcome)),
};

/** Once for every start of the agent: a retry after a usage limit is not another start. */
function begunWords(effect: Effect, state: SuperviseState): readonly Words[] {
  if (effect.kind !== 'run-agent' || effect.attempt > 1 || !isRestarted(state)) return [];
  return [['INFO', `starting root agent (restart #${restartNumber(state)})`]];
}

function dependencyWords({ task: { blockedBy: was } }: RunState, { task: { blockedBy: is } }: RunState): readonly Words[] {
  const names = is.map(({ task }) => task).join(', ');
  if (names === was.map(({ task }) => task).join(', ')) return [];
  return [is.length === 0 ? ['FACT', 'dependencies satisfied; starting task'] : ['PROGRESS', `task blocked by dependencies: ${names}`]];
}

function refusedWords({ renamed }: BodyOf<'done.refused'>, { task }: RunState): readonly Words[] {
  const red = task.judged?.failures.map(({ check }) => check).filter((check) => check !== '') ?? [];
  const place = renamed === null ? 'it was already gone' : `it was renamed to ${renamed}`;
  return [['WARNING', `DONE was refused${red.length === 0 ? '' : `, red: ${red.join(', ')}`}; ${place}`]];
}

function endedWords({ ended, left }: BodyOf<'children.ended'>): readonly Words[] {
  return [
    ...(ended.length === 0 ? [] : [['INFO', `children ended by the loop: ${listed(ended)}`] as const]),
    ...(left.length === 0 ? [] : [['WARNING', `children that could not be ended: ${listed(left)}`] as const]),
  ];
}

function stoppedWords({ stop_reason, message }: Outcome, { run }: RunState): readonly Words[] {
  if (stop_reason === 'completed') return [['INFO', message]];
  if (stop_reason === 'waiting') return [['INFO', `${message} (go on with: ralph runs resume ${run?.id ?? ''})`]];
  return [stop_reason === 'interrupted' ? ['WARNING', `task interrupted: ${message}`] : ['ERROR', `task failed: ${message}`]];
}

function jobWords({ stop_reason, message }: Outcome): readonly Words[] {
  if (stop_reason === 'completed') return [];
  return [stop_reason === 'interrupted' ? ['WARNING', `job interrupted: ${message}`] : ['ERROR', `job failed: ${message}`]];
}

const runFolder = ({ run }: SuperviseState) => `${run.settings.supervise.folder}/runs/${run.id}`;

const waitTimeout = ({ run }: SuperviseState) => longDuration(run.settings.supervise.waitTimeoutMs);

const listed = (runs: readonly string[]) => `[${runs.join(', ')}]`;
