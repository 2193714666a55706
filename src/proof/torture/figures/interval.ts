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
