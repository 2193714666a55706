import { assertNever } from '../../kit/pure/assert-never.ts';
import type { Effect, RunAgent } from '../../journal/effects/effect.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { isStoryEvent, type StoryEvent } from '../../journal/events/story-event.ts';
import { isTaskEvent } from '../../journal/events/task-event.ts';
import { isWorkEvent } from '../../journal/events/work-event.ts';
import { lastNumber } from '../../journal/last-number.ts';
import type { StartedRun } from '../../journal/state/state.ts';
import type { Change } from './change.ts';
import { shorten } from './excerpt.ts';
import type { Line } from './line.ts';
import {
  verboseAttemptLines,
  verboseCommandBegunLines,
  verboseCommandEndedLines,
  verboseCommitLines,
  verboseLine,
  verboseSettingsLines,
  verboseSpawnedLines,
} from './verbose-lines.ts';

const REASON_CHARS = 1000;

/** What only those want to know who look for a fault: every event's own details, and how long each operation took. */
export interface VerboseFeed {
  hear(event: JournalEvent, change: Change, streamEvents: number): readonly Line[];
}

export function openVerboseFeed(): VerboseFeed {
  /** When the commits in flight were begun: their facts do not say how long they took. */
  const begunMs = new Map<string, number>();

  function committed(key: string, atMs: number): readonly Line[] {
    const startMs = begunMs.get(key);
    begunMs.delete(key);
    return startMs === undefined ? [] : verboseCommitLines(atMs - startMs);
  }

  function begun(effect: Effect, { state, atMs }: Change): readonly Line[] {
    if (effect.kind === 'commit') begunMs.set(effect.key, atMs);
    if (effect.kind === 'run-command') return verboseCommandBegunLines(effect.argv);
    return effect.kind === 'run-agent' ? [verboseLine(`Running agent: ${commandOf(effect, state.run)}`)] : [];
  }

  return { hear: (event, change, streamEvents) => detailLines(event, change, streamEvents, { begun, committed }) };
}

/** A story may be reviewed by another one than it is written by. */
function commandOf({ turn }: RunAgent, run: StartedRun | null): string {
  const reviewer = turn?.mode === 'review' ? run?.settings.stories?.reviewAgent : null;
  return (reviewer ?? run?.settings.agent)?.command ?? '';
}

function storyLines(body: StoryEvent): readonly Line[] {
  if (body.type === 'stop.refused')
    return [verboseLine(`Stop ${body.let_go ? 'let go' : 'refused'} (${body.blocks} in a row): ${shorten(body.reason, REASON_CHARS)}`)];
  if (body.type === 'stories.recorded') return body.commit === null ? [] : [verboseLine(`tasks.json committed as ${body.commit}`)];
  return body.type === 'turn.begun' ? [verboseLine(`${body.mode} of ${body.story}, from ${body.head}`)] : [];
}

interface Operations {
  readonly begun: (effect: Effect, change: Change) => readonly Line[];
  readonly committed: (key: string, atMs: number) => readonly Line[];
}

function detailLines({ body, at }: JournalEvent, change: Change, streamEvents: number, { begun, committed }: Operations): readonly Line[] {
  if (isTaskEvent(body)) return body.type === 'task.seen' ? [verboseLine(`Task folder: DONE ${body.done.kind}, ${body.children.length} children at work`)] : [];
  if (isWorkEvent(body)) return [];
  if (isStoryEvent(body)) return storyLines(body);
  switch (body.type) {
    case 'run.started':
      return verboseSettingsLines(body.sources, body.settings);
    case 'run.resumed':
      return change.state.run ? verboseSettingsLines([], change.state.run.settings) : [];
    case 'iteration.opened':
      return [verboseLine(`Iteration ${body.iteration}/${lastNumber(change.state)} starting`)];
    case 'effect.begun':
      return begun(body.effect, change);
    case 'attempt.spawned':
      return verboseSpawnedLines(body);
    case 'attempt.ended':
      return verboseAttemptLines(body, streamEvents);
    case 'commit.made':
    case 'commit.refused':
      return committed(body.key, at);
    case 'command.ended':
      return verboseCommandEndedLines(body);
    case 'iteration.closed':
      return body.accepted ? [] : [verboseLine('No completion detected, continuing')];
    case 'limit.seen':
      return [verboseLine(`Usage limit announced${body.window === null ? '' : ` (${body.window})`}`)];
    case 'effect.lost':
    case 'gates.judged':
    case 'operator.asked':
    case 'paths.restored':
    case 'receipt.written':
    case 'settings.seen':
    case 'spec.seen':
    case 'wall.refused':
    case 'run.stopped':
      return [];
    default:
      return assertNever(body);
  }
}
