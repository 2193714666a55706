import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { StoriesRecorded } from '../../journal/events/stories.ts';
import { costsNothing } from '../../journal/evolve/spending.ts';
import type { StoryMode, StoryPlan } from '../../journal/words/story.ts';
import { costText, formatDuration } from '../../kit/pure/amounts.ts';
import { printable } from '../../kit/pure/text.ts';
import { shorten } from '../console/look.ts';
import { alignRows } from './align-rows.ts';

/** What the runs on a list of stories took, according to their journals. */
export interface StoriesStats {
  /** In the order of the newest list; stories that are no longer in it come last. */
  readonly stories: readonly StoryStats[];
  readonly modes: Readonly<Record<StoryMode, ModeStats>>;
  readonly cap_hits: number;
  /** How often a hook kept an agent from stopping. */
  readonly stops_refused: number;
}

export interface StoryStats {
  readonly id: string;
  readonly title: string;
  /** Verdicts that counted. */
  readonly reviews: number;
  /** Without those at the cap. */
  readonly approvals: number;
  readonly rejections: number;
  readonly at_cap: boolean;
  /** In any mode. */
  readonly iterations: number;
}

export interface ModeStats {
  readonly iterations: number;
  /** The time of its agents, without the checks. */
  readonly duration_ms: number;
  /** Null when at least one attempt reported no cost. */
  readonly cost_usd: number | null;
  readonly attempts: number;
}

/** The story and mode of an iteration. */
interface Turn {
  readonly mode: StoryMode;
  readonly story: string;
}

interface Sum {
  readonly stories: Map<string, StoryStats>;
  readonly modes: Record<StoryMode, ModeStats>;
  /** The newest version of the list. */
  plan: StoryPlan | null;
  stopsRefused: number;
}

const noMode: ModeStats = { iterations: 0, duration_ms: 0, cost_usd: 0, attempts: 0 };

/** Takes the journals of runs on the same list, the oldest first. */
export function storiesStats(journals: readonly (readonly JournalEvent[])[]): StoriesStats {
  const sum: Sum = { stories: new Map(), modes: { implement: noMode, review: noMode, 'review-fix': noMode }, plan: null, stopsRefused: 0 };
  for (const events of journals) {
    const turns = new Map<number, Turn>();
    for (const { body } of events) add(sum, body, turns);
  }
  const stories = inOrder(sum);
  return { stories, modes: sum.modes, cap_hits: stories.filter(({ at_cap }) => at_cap).length, stops_refused: sum.stopsRefused };
}

function add(sum: Sum, body: EventBody, turns: Map<number, Turn>): void {
  if (body.type === 'stories.seen') sum.plan = body.plan ?? sum.plan;
  if (body.type === 'stop.refused') sum.stopsRefused += 1;
  if (body.type === 'turn.begun') {
    turns.set(body.iteration, body);
    addTurn(sum, body);
  }
  const turn = 'iteration' in body ? turns.get(body.iteration) : undefined;
  if (turn && body.type === 'attempt.ended') sum.modes[turn.mode] = withAttempt(sum.modes[turn.mode], body);
  if (turn && body.type === 'stories.recorded') addVerdict(sum, body, turn);
}

function addTurn(sum: Sum, { mode, story }: Turn): void {
  const known = storyIn(sum, story);
  sum.stories.set(story, { ...known, iterations: known.iterations + 1 });
  sum.modes[mode] = { ...sum.modes[mode], iterations: sum.modes[mode].iterations + 1 };
}

function withAttempt(mode: ModeStats, ended: AttemptEnded): ModeStats {
  const costUsd = costsNothing(ended) ? 0 : (ended.spent?.cost_usd ?? null);
  return {
    ...mode,
    attempts: mode.attempts + 1,
    duration_ms: mode.duration_ms + ended.duration_ms,
    cost_usd: mode.cost_usd === null || costUsd === null ? null : mode.cost_usd + costUsd,
  };
}

function addVerdict(sum: Sum, { plan, moved, at_cap }: StoriesRecorded, { mode, story }: Turn): void {
  sum.plan = plan;
  if (mode !== 'review' || !moved) return;
  const known = storyIn(sum, story);
  const isApproved = plan.userStories.find(({ id }) => id === story)?.reviewStatus === 'approved';
  sum.stories.set(story, {
    ...known,
    reviews: known.reviews + 1,
    approvals: known.approvals + (isApproved && !at_cap ? 1 : 0),
    rejections: known.rejections + (isApproved ? 0 : 1),
    at_cap: known.at_cap || at_cap,
  });
}

function storyIn({ stories }: Sum, id: string): StoryStats {
  return stories.get(id) ?? { id, title: '', reviews: 0, approvals: 0, rejections: 0, at_cap: false, iterations: 0 };
}

function inOrder(sum: Sum): readonly StoryStats[] {
  const listed = sum.plan?.userStories ?? [];
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed.map(({ id, title }) => ({ ...storyIn(sum, id), title })), ...[...sum.stories.values()].filter(({ id }) => !ids.has(id))];
}

const ID_CHARS = 40;
const TITLE_CHARS = 60;
const MODES: readonly StoryMode[] = ['implement', 'review', 'review-fix'];

/** The same for people: two tables, and the figures that do not fit in. */
export function statsLines({ stories, modes, cap_hits, stops_refused }: StoriesStats): readonly string[] {
  return [
    ...alignRows([['STORY', 'ITERATIONS', 'REVIEWS', 'APPROVED', 'REJECTED', 'TITLE'], ...stories.map(storyCells)]),
    '',
    ...alignRows([['MODE', 'ITERATIONS', 'ATTEMPTS', 'TIME', 'COST'], ...MODES.map((mode) => modeCells(mode, modes[mode]))]),
    '',
    `Approved at the review cap: ${cap_hits}`,
    ...(stops_refused === 0 ? [] : [`Refused stops: ${stops_refused}`]),
  ];
}

function storyCells({ id, title, reviews, approvals, rejections, at_cap, iterations }: StoryStats): readonly string[] {
  return [text(id, ID_CHARS), `${iterations}`, `${reviews}`, approvedText(approvals, at_cap), `${rejections}`, text(title, TITLE_CHARS)];
}

function approvedText(approvals: number, atCap: boolean): string {
  if (!atCap) return `${approvals}`;
  return approvals === 0 ? 'at cap' : `${approvals}, at cap`;
}

function modeCells(mode: StoryMode, { iterations, attempts, duration_ms, cost_usd }: ModeStats): readonly string[] {
  return [mode, `${iterations}`, `${attempts}`, formatDuration(duration_ms), cost_usd === null ? 'unknown' : costText(cost_usd)];
}

const text = (value: string, chars: number) => printable(shorten(value, chars));
