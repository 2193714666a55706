import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import { isDone, storyRows } from './story-rows.ts';

const HEADER = 'iteration,mode,duration_seconds,commit_hash,stories_complete,stories_total,stuck_count,timestamp';

interface Open {
  readonly openedAtMs: number;
  readonly mode: string;
  /** The branch before the iteration and after it. */
  readonly from: string;
  readonly to: string;
}

/** A line for every iteration of the runs on a plan, in the columns the seed's author has planned. */
export function iterationsCsv(journals: readonly (readonly JournalEvent[])[]): string {
  return `${[HEADER, ...journals.flatMap(linesOf)].join('\n')}\n`;
}

function linesOf(events: readonly JournalEvent[]): readonly string[] {
  const lines: string[] = [];
  let plan: StoryPlan | null = null;
  let open: Open | null = null;
  let stuck = 0;
  for (const { at, body } of events) {
    plan = planIn(body) ?? plan;
    if (body.type === 'iteration.opened') open = { openedAtMs: at, mode: '', from: '', to: '' };
    if (open === null) continue;
    open = follow(open, body);
    if (body.type !== 'iteration.closed') continue;
    stuck = open.from === open.to ? stuck + 1 : 0;
    lines.push(lineOf(body.iteration, open, { plan, stuck, atMs: at }));
    open = null;
  }
  return lines;
}

function planIn(body: EventBody): StoryPlan | null {
  return body.type === 'stories.seen' || body.type === 'stories.recorded' ? body.plan : null;
}

function follow(open: Open, body: EventBody): Open {
  if (body.type === 'turn.begun') return { ...open, mode: body.mode, from: body.head, to: body.head };
  if (body.type === 'stories.settled' || body.type === 'stories.recorded') return { ...open, to: body.head };
  return open;
}

interface At {
  readonly plan: StoryPlan | null;
  readonly stuck: number;
  readonly atMs: number;
}

function lineOf(iteration: number, { openedAtMs, mode, to }: Open, { plan, stuck, atMs }: At): string {
  const rows = plan === null ? [] : storyRows(plan);
  const seconds = Math.round((atMs - openedAtMs) / 1000);
  return [iteration, mode, seconds, to, rows.filter(isDone).length, rows.length, stuck, new Date(atMs).toISOString()].join(',');
}
