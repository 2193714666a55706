/** A part of a time line in which something happened. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Maps times to places on a line from 0 to 1. Long times in which nothing happened take little room. */
export interface TimeScale {
  place(ms: number): number;
  /** The idle times that are folded, and where. */
  readonly folds: readonly (TimeSpan & { readonly at: number })[];
  /** Round times for labels, and where. */
  readonly marks: readonly { readonly at: number; readonly ms: number }[];
}

/** An idle time longer than this share of the busy time is folded. */
const FOLD_SHARE = 0.08;
const LEAST_FOLD_MS = 20_000;
/** What a folded time takes, as a share of the busy time. */
const FOLDED_SHARE = 0.025;
const MOST_MARKS = 6;

interface Piece extends TimeSpan {
  readonly start: number;
  readonly length: number;
  readonly isFolded: boolean;
}

export function timeScale(spans: readonly TimeSpan[], utcOffsetMs = 0): TimeScale {
  const busy = merged(spans);
  const busyMs = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const pieces = piecesOf(busy, busyMs);
  const total = Math.max(
    1,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  const place = (ms: number) => placeIn(pieces, ms) / total;
  return {
    place,
    folds: pieces.filter(({ isFolded }) => isFolded).map(({ from, to, start, length }) => ({ from, to, at: (start + length / 2) / total })),
    marks: marksIn(pieces, { busyMs, utcOffsetMs, place }),
  };
}

function merged(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const busy: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to: Math.max(from, to) });
  }
  return busy;
}

function piecesOf(busy: readonly TimeSpan[], busyMs: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  const add = ({ from, to }: TimeSpan, isFolded: boolean) => {
    const length = isFolded ? busyMs * FOLDED_SHARE : to - from;
    pieces.push({ from, to, start, length, isFolded });
    start += length;
  };
  for (const [index, span] of busy.entries()) {
    const before = busy[index - 1];
    if (before !== undefined) add({ from: before.to, to: span.from }, span.from - before.to > Math.max(LEAST_FOLD_MS, busyMs * FOLD_SHARE));
    add(span, false);
  }
  return pieces;
}

function placeIn(pieces: readonly Piece[], ms: number): number {
  // The first that does not end before it; there may be a thousand, and each bar asks several times.
  let [low, high] = [0, Math.max(0, pieces.length - 1)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= (pieces[middle]?.to ?? 0)) high = middle;
    else low = middle + 1;
  }
  const piece = pieces[low];
  if (piece === undefined) return 0;
  const share = piece.to === piece.from ? 0 : (ms - piece.from) / (piece.to - piece.from);
  return piece.start + Math.min(1, Math.max(0, share)) * piece.length;
}

const SECOND = 1000;
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

interface MarkOptions {
  readonly busyMs: number;
  readonly utcOffsetMs: number;
  readonly place: (ms: number) => number;
}

/** Only where time runs evenly; two marks keep a distance. */
function marksIn(pieces: readonly Piece[], { busyMs, utcOffsetMs, place }: MarkOptions): TimeScale['marks'] {
  const stepMs = (STEPS_S.find((step) => busyMs / (step * SECOND) <= MOST_MARKS) ?? 86_400) * SECOND;
  const marks: { at: number; ms: number }[] = [];
  for (const { from, to, isFolded } of pieces) {
    if (isFolded) continue;
    for (let ms = Math.ceil((from + utcOffsetMs) / stepMs) * stepMs - utcOffsetMs; ms <= to; ms += stepMs) {
      const at = place(ms);
      if (at - (marks.at(-1)?.at ?? -1) > 0.07 && at < 0.97) marks.push({ at, ms });
    }
  }
  return marks;
}
