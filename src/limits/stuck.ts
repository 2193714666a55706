import type { Standstill } from '../journal/state/iteration.ts';
import type { RunState } from '../journal/state/state.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';

interface Repetition {
  /** In a sentence: what repeats, and how often. */
  readonly what: string;
  readonly times: number;
  /** It is stuck at so many times. */
  readonly most: number;
}

/** Files that change while a failure stays the same may be honest, slow work: that is given three times as long. */
const SLOW_WORK = 3;

type Standing = { readonly state: Pick<RunState, 'standstill'>; readonly settings: Pick<RunSettings, 'limits'> };

/** Everything that repeats, the most telling first. Empty if the operator has turned it off. */
function repetitions({ state: { standstill }, settings: { limits } }: Standing): readonly Repetition[] {
  const most = limits.stuckAfter ?? 0;
  if (standstill === undefined || most === 0) return [];
  const { still, swings, sameFailure, sameToolError } = standstill;
  return [
    { times: sameToolError, most, what: `every tool call of the last ${sameToolError} iterations failed with the same error: ${standstill.toolError}` },
    { times: still, most, what: `the last ${still} iterations left the same files and the same results${because(standstill)}` },
    // N trees in a row that alternate are N - 2 returns to the one before the last.
    {
      times: swings + 2,
      most: Math.max(most, 4),
      what: `the last ${swings + 2} iterations undo each other: the files alternate between two states${because(standstill)}`,
    },
    { times: sameFailure, most: most * SLOW_WORK, what: `the last ${sameFailure} iterations failed in exactly the same way${because(standstill)}` },
  ];
}

const because = ({ evidence }: Standstill) => (evidence === '' ? '' : `: ${evidence}`);

/** What a run is stuck in; null while it may still get on. */
export function stuckIn(view: Standing): string | null {
  return repetitions(view).find(({ times, most }) => times >= most)?.what ?? null;
}

const LEAST_TIMES = 3;

const halfOf = ({ most }: Repetition) => Math.max(LEAST_TIMES, Math.ceil(most / 2));

/** For how many iterations half of what makes a run stuck has happened, the next one included; 0 before that. */
export function iterationsPastHalf(view: Standing): number {
  return Math.max(0, ...repetitions(view).map((repetition) => repetition.times - halfOf(repetition) + 1));
}

/** What the next prompt says when half of what makes a run stuck has happened; null before that. */
export function repetitionForPrompt(view: Standing): string | null {
  const found = repetitions(view).find((repetition) => repetition.times >= halfOf(repetition));
  if (found === undefined) return null;
  return `Ralph has noticed that ${found.what}. What was tried does not help: find out why, and do something else. If only a person can help, say what you need.`;
}

/** Naming the files costs time, so it waits until the gates say the same twice. */
export function needsTree({ state: { standstill }, settings: { limits } }: Standing): boolean {
  return (limits.stuckAfter ?? 0) > 0 && (standstill?.sameGates ?? 0) >= 2;
}
