import { type Came, KINDS, type TortureCase } from './case-file.ts';
import { type Share, shareOf } from './interval.ts';

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
