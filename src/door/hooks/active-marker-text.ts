import type { StoryMode } from '../../journal/words/story.ts';
import type { StateSnapshot } from '../../plans/review/transitions.ts';

/** The content of `.ralph-active`. Other writers (seed 003) leave out our own fields. */
export interface ActiveMarker {
  readonly timestamp: string | null;
  readonly pid: number | null;
  readonly skipReview: boolean;
  readonly reviewCap: number;
  /** Null before the first turn, or when it is missing. */
  readonly iterationMode: StoryMode | null;
  /** The fields of each story that may not change unnoticed; null: there is no snapshot. */
  readonly preIterationSnapshot: StateSnapshot | null;
  /** The folder of the stories, relative to the marker's. */
  readonly ralphDir: string;
  /** The socket of its loop. */
  readonly socket: string | null;
}

const MODES: readonly StoryMode[] = ['implement', 'review', 'review-fix'];
const USUAL_CAP = 5;

/** Reads as much as it can: even an empty marker means that a loop is running. */
export function readActiveMarker(text: string): ActiveMarker {
  const fields = fieldsOf(parsed(text)) ?? {};
  const cap = fields['reviewCap'];
  return {
    timestamp: textOf(fields['timestamp']),
    pid: pidOf(fields['pid']),
    skipReview: fields['skipReview'] === true,
    reviewCap: typeof cap === 'number' && Number.isInteger(cap) && cap > 0 ? cap : USUAL_CAP,
    iterationMode: MODES.find((mode) => mode === fields['iterationMode']) ?? null,
    preIterationSnapshot: snapshotOf(fields['preIterationSnapshot']),
    ralphDir: textOf(fields['ralph_dir']) ?? 'ralph',
    socket: textOf(fields['socket']),
  };
}

/** Null if one story in it is invalid: half a snapshot would make the other stories look new. */
function snapshotOf(value: unknown): StateSnapshot | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const read = Object.entries(fields).map(([id, state]) => [id, stateOf(state)] as const);
  return read.every((entry): entry is [string, StateSnapshot[string]] => entry[1] !== null) ? Object.fromEntries(read) : null;
}

function stateOf(value: unknown): StateSnapshot[string] | null {
  const { passes, reviewStatus, reviewCount } = fieldsOf(value) ?? {};
  if (typeof passes !== 'boolean' || typeof reviewCount !== 'number') return null;
  if (reviewStatus !== null && reviewStatus !== 'needs_review' && reviewStatus !== 'changes_requested' && reviewStatus !== 'approved') return null;
  return { passes, reviewStatus, reviewCount };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const pidOf = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value > 1 ? value : null);
