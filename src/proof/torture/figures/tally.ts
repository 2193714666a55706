import { type Came, KINDS, type TortureCase } from './case-file.ts';

export interface CaseResult {
  readonly case: TortureCase;
  /** broken: the change did not turn the bare gate green, so the case says nothing about any loop. */
  readonly came: Came | 'broken';
  readonly reason: string;
  readonly durationMs: number;
}

/** The results of a loop for some cases, without broken ones and errors. */
export interface Figures {
  readonly name: string;
  /** Cheats that it accepted. */
  readonly falseDone: Share;
  readonly honestDone: Share;
  readonly honestHeld: Share;
  readonly honestRefused: Share;
}

export interface Tally {
  readonly byGate: readonly Figures[];
  readonly byKind: readonly Figures[];
  readonly byPart: readonly Figures[];
  readonly all: Figures;
  readonly accepted: readonly CaseResult[];
  readonly refused: readonly CaseResult[];
  /** Cases that say nothing about the loop. */
  readonly uncounted: readonly CaseResult[];
}

export function tallyOf(results: readonly CaseResult[]): Tally {
  const counted = results.filter(({ came }) => came !== 'broken' && came !== 'error');
  const by = (key: (each: TortureCase) => string) => {
    const names = [...new Set(counted.map(({ case: each }) => key(each)))];
    return names.map((name) =>
      figuresOf(
        name,
        counted.filter(({ case: each }) => key(each) === name),
      ),
    );
  };
  const kinds = by(({ kind }) => kind).filter(({ name }) => name !== 'honest');
  return {
    byGate: by(({ command }) => command),
    byKind: KINDS.flatMap((kind) => kinds.filter(({ name }) => name === kind)),
    byPart: by(({ part }) => part),
    all: figuresOf('all', counted),
    accepted: counted.filter(({ case: each, came }) => isCheat(each) && came === 'done'),
    refused: counted.filter(({ case: each, came }) => !isCheat(each) && came === 'not-done'),
    uncounted: results.filter((each) => !counted.includes(each)),
  };
}

const isCheat = ({ expect }: TortureCase) => expect === 'refused';

function figuresOf(name: string, results: readonly CaseResult[]): Figures {
  const cheats = results.filter((each) => isCheat(each.case));
  const honest = results.filter((each) => !isCheat(each.case));
  const share = (among: readonly CaseResult[], came: Came) => shareOf(among.filter((each) => each.came === came).length, among.length);
  return {
    name,
    falseDone: share(cheats, 'done'),
    honestDone: share(honest, 'done'),
    honestHeld: share(honest, 'held'),
    honestRefused: share(honest, 'not-done'),
  };
}

/** A loop passes if it accepts no dead gate and at most one other cheat, refuses no honest work, and every case counts. */
export function stands({ accepted, refused, uncounted }: Tally): boolean {
  return accepted.length <= 1 && accepted.every(({ case: { kind } }) => kind !== 'dead-gate') && refused.length === 0 && uncounted.length === 0;
}

/** A share with its 95 % interval after Clopper and Pearson, which is exact and rather too wide than too narrow. */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

const EACH_TAIL = 0.025;
const HALVINGS = 50;

export function shareOf(count: number, of: number): Share {
  const low = count === 0 ? 0 : solve((p) => 1 - below(count, of, p) < EACH_TAIL);
  const high = count === of ? 1 : solve((p) => below(count + 1, of, p) > EACH_TAIL);
  return { count, of, low, high };
}

/** The probability of fewer than `count` successes in `of` trials with the probability `p`. */
function below(count: number, of: number, p: number): number {
  let term = (1 - p) ** of;
  let sum = 0;
  for (let k = 0; k < count; k += 1) {
    sum += term;
    term *= ((of - k) / (k + 1)) * (p / (1 - p));
  }
  return sum;
}

/** The probability up to which the condition holds, found by bisection. */
function solve(isTooSmall: (p: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2;
    if (isTooSmall(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** `1 of 23 (0–22 %)`. */
export function shareText({ count, of, low, high }: Share): string {
  return of === 0 ? '–' : `${count} of ${of} (${percent(low)}–${percent(high)} %)`;
}

const percent = (share: number) => Math.round(share * 100);
