import { endingText } from '../../journal/ending-text.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import type { IterationResult } from '../../journal/events/run.ts';
import type { StoriesRecorded } from '../../journal/events/stories.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import { proofOf } from '../../journal/evolve/iterations.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import { QUESTION_WORDS } from '../../journal/words/claim.ts';
import { instructionText } from '../../journal/words/instruction.ts';
import { plural } from '../../kit/pure/amounts.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { agentName, agentNamed, agentsIn } from '../../limits/agents.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { heldWhy } from '../needs/agent-said.ts';
import type { Moment } from './items.ts';

/** One thing worth knowing about a night. The text is untrusted: it may quote an agent. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Null: the run as a whole. */
  readonly iteration: number | null;
  readonly item: string;
  readonly tone: Tone;
  readonly text: string;
}

export type Tone = 'good' | 'bad' | 'busy' | 'plain';

const TEXT_CHARS = 300;

/** Null for the many events that need no line. */
export function timelineEntry({ event: { body, at }, before, state, item }: Moment): TimelineEntry | null {
  const told = lookUp(TOLD, body, item, before) ?? otherTold(body, agentOf(body, state));
  if (told === null) return null;
  const iteration = 'iteration' in body && body.iteration > 0 ? body.iteration : null;
  return { atMs: at, iteration, item, tone: told[0], text: truncateCodePoints(oneLine(told[1]), TEXT_CHARS, '…') };
}

function agentOf(body: EventBody, { run }: RunState): string {
  if (run === null) return 'the agent';
  return agentName(agentNamed(run.settings, body.type === 'attempt.ended' ? body.agent : undefined));
}

type Told = readonly [Tone, string] | null;

const TOLD: EventTable<[item: string, before: RunState], Told> = {
  'run.started': ({ settings }) => ['plain', `Started with ${agentsIn(settings).map(agentName).join(', ')}, ${checksText(settings)}`],
  'run.resumed': ({ by }) => ['plain', by === undefined ? 'Resumed' : `Resumed (${by})`],
  'run.stopped': ({ outcome }) => [outcome.exit_code === 0 ? 'good' : 'bad', `Ended: ${outcome.message}`],
  'operator.asked': ({ what, by }) => ['busy', `Asked to ${ASKED[what]} (${by})`],
  'operator.instructed': ({ instruction, by }) => ['busy', `${by}: ${instructionText(instruction)}`],
  'iteration.closed': (body, _item, { open }) =>
    closedTold(
      body,
      open.find(({ number }) => number === body.iteration),
    ),
  'gates.judged': ({ results, where }) => redTold(results, where === 'start' ? 'Red before the first iteration' : 'Red'),
  'proof.judged': ({ verdict, level, reason }) => (verdict === 'proven' ? ['good', `Proven (${level})`] : [verdict === 'held' ? 'busy' : 'bad', reason]),
  'claim.allowed': ({ by, paths }) => ['good', `${by} allowed ${paths.join(', ')}`],
  'paths.restored': ({ paths }) => (paths.length === 0 ? null : ['bad', `Reverted changes to protected paths: ${paths.join(', ')}`]),
  'commit.made': ({ commit, message }) => ['good', `Committed ${commit.slice(0, 7)}: ${message}`],
  'commit.refused': ({ detail }) => ['bad', `Not committed: ${detail}`],
  'task.taken': ({ task }) => ['plain', `Took ${task.id}: ${task.title}`],
  'merge.judged': (body, item) => mergeTold(body, item),
  'task.released': ({ task, state }) =>
    state === 'done' || state === 'free' ? null : [state === 'parked' ? 'busy' : 'bad', `${task} ${LEFT[state]} and waits for a person`],
  'task.lost': ({ task, why }) => ['busy', `${task} was lost: ${why}`],
  'plan.troubled': ({ why }) => ['bad', `The plan cannot be read: ${why}`],
  'stories.recorded': (body, item) => storyTold(body, item),
  'question.asked': ({ story, question }) => ['busy', `${story ?? 'The agent'} ${QUESTION_WORDS[question.kind]}: ${question.text}`],
  'question.answered': ({ by, answer, story }) => ['good', `${by} answered${story === null ? '' : ` ${story}`}: ${answer}`],
};

const ASKED = { drain: 'stop after the running work', abort: 'stop at once', pause: 'pause', 'go-on': 'continue' } as const;
const TONE_OF = { red: 'bad', failed: 'bad', abandoned: 'busy' } as const;

/** Tasks of a plan bring checks of their own. */
function checksText(settings: RunSettings): string {
  const own = factsOf(settings).hasTasks ? 'those of each task' : '';
  return settings.gates.length === 0 && own !== '' ? 'the checks of each task' : `${plural(settings.gates.length, 'check')}${own && ` and ${own}`}`;
}

/** Green without a check would say too much, and red without one too little. */
function closedTold({ iteration, result }: { readonly iteration: number; readonly result: IterationResult }, open: OpenIteration | undefined): Told {
  const name = `Iteration ${iteration} ended`;
  if (open?.hasAsked && result === 'red') return ['busy', `${name} with a question`];
  const isUnchecked = proofOf(open) === null && open?.mergeProof === undefined;
  if (result === 'green') return ['good', isUnchecked ? `${name}, no check ran` : `${name} green`];
  return [TONE_OF[result], `${name} ${result}${result === 'red' && isUnchecked ? ', no check ran' : ''}`];
}

function redTold(results: readonly GateResult[], label: string): Told {
  const red = results.filter(({ green }) => !green).map(({ gate, ending }) => `${gate.command} (${endingText(ending)})`);
  return red.length === 0 ? null : ['bad', `${label}: ${red.join(', ')}`];
}

const LEFT = { failed: 'failed', conflict: 'cannot be merged', parked: 'is parked' } as const;

function mergeTold({ result, commit, conflicts, detail, proof }: MergeJudged, item: string): Told {
  if (result === 'merged') return ['good', `${item} merged as ${commit?.slice(0, 7) ?? 'unknown'}${proof ? ` (${proof.level})` : ''}`];
  if (result === 'conflict') return ['bad', `${item} conflicts in ${conflicts.join(', ') || 'unknown files'}`];
  if (result === 'held') return ['busy', `${item} is held: ${heldWhy(proof?.reason ?? detail)}`];
  if (result === 'moved') return null;
  return ['bad', `${item} is ${result} when merged: ${detail || proof?.reason || 'see its checks'}`];
}

function storyTold({ plan, moved, at_cap }: StoriesRecorded, item: string): Told {
  const story = plan.userStories.find(({ id }) => id === item);
  if (!moved || !story) return null;
  if (at_cap) return ['busy', `${item} approved at the review cap, with open concerns`];
  if (story.reviewStatus === 'changes_requested') return ['busy', `${item}: a review asks for changes`];
  if (story.passes) return ['good', `${item} ${story.reviewStatus === 'approved' ? 'is approved' : 'passes'}`];
  return ['plain', `${item} is ready for review`];
}

function otherTold(body: EventBody, agent: string): Told {
  if (body.type === 'attempt.ended') return attemptTold(body, agent);
  if (body.type === 'done.refused') return ['bad', 'DONE was refused: its checks are red'];
  if (body.type === 'child.started') return ['plain', `Started the child run ${body.run}`];
  if (body.type === 'child.refused') return ['bad', `Refused a child run: ${body.why}`];
  if (body.type === 'effect.lost') return ['busy', `Lost when the loop died: ${body.key}`];
  return null;
}

function attemptTold({ verdict, why, ending, claim, role }: AttemptEnded, agent: string): Told {
  if (verdict === 'ok') return claim === null ? null : ['plain', `${agent} said "${claim.text}"`];
  const who = role === 'work' ? agent : `${agent} (${role})`;
  return [verdict === 'limited' ? 'busy' : 'bad', `${who}: ${why || endingText(ending)}`];
}
