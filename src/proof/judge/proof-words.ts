import type { Failure } from '../../journal/effects/effect.ts';
import { notDone, type Outcome } from '../../journal/words/outcome.ts';
import type { ChangedDecider, GateLife, ProofVerdict } from '../../journal/words/proof.ts';

const MOST_PATHS = 10;

/** How many times in a row a claim is held before a person must decide. The agent is told once, and may revert what it has changed. */
export const MOST_HELD = 2;

/** Of a gate that the operator has left out of the proof. */
export const LEFT_OUT = 'is left out of the proof, as its settings say';

const told = (message: string): Failure => ({ action: 'APPEND', check: '', message });

interface Told {
  readonly verdict: ProofVerdict;
  readonly changed: readonly ChangedDecider[];
  readonly gates: readonly GateLife[];
  readonly reason: string;
  readonly hint?: string | undefined;
}

/** The feedback about a claim that does not count. `red`: what the gates reported in the copy. */
export function proofFailures({ verdict, changed, gates, reason, hint }: Told, red: readonly Failure[]): readonly Failure[] {
  switch (verdict) {
    case 'proven':
      return [];
    case 'red':
      if (red.length === 0) return [told(reason)];
      return red.map((failure) => ({ ...failure, message: `${IN_A_COPY}\n${failure.message}` }));
    case 'held':
      if (changed.length === 0) return red.map((failure) => ({ ...failure, message: `${IN_A_COPY}\n${failure.message}` }));
      return [told(heldWords(changed)), ...red.map((failure) => ({ ...failure, message: `${WITHOUT_CHANGES}\n${failure.message}` }))];
    case 'dead':
      return [told(deadWords(gates))];
    case 'sealed':
      return [told(sealedWords(hint))];
  }
}

const IN_A_COPY = 'In a clean copy of your work this is red. Files that git ignores or was told not to look at, and that you made or changed, are not in it:';
const WITHOUT_CHANGES = 'Without these changes, and with the rest of your work, this is red:';

/** Why a claim is held although nobody changed the file: the file no longer says anything about the work. */
export const SUSPECT = {
  bent: 'assertions in it could fail at the start and cannot now',
  unmoved: 'the check stays green whatever this file contains',
  named: 'it is red when its tests have other names and lines, so code looks which test calls it',
  left: 'this hides code from a check that looked at it before',
  asks: 'it behaves differently when planted tests are there',
  fewer: 'though no test was changed',
  written: 'the check compares with it, and it was written while the check ran',
} as const;

const isSuspect = ({ why }: ChangedDecider) => Object.values(SUSPECT).some((each) => why.endsWith(each));

/** Why a claim is held, in one line for a person. */
export function heldReason(changed: readonly ChangedDecider[]): string {
  const why = changed.every(isSuspect) ? 'green, but the checks can no longer tell' : 'green only because tests or settings were changed';
  return `Held: ${why}: ${heldPaths(changed)}`;
}

function heldWords(changed: readonly ChangedDecider[]): string {
  const lines = [...changed.slice(0, MOST_PATHS).map(({ path, why }) => `- ${path}: ${why}`), ...more(changed.length)];
  if (changed.every(isSuspect))
    return [
      'You said that it is done, but the claim is held: the checks are green, and would be so if the work were wrong.',
      ...lines,
      'Undo whatever keeps these from failing, and solve the task itself. If it cannot be done, change nothing and say so again: a person then decides.',
    ].join('\n');
  return [
    'You said that it is done, but the claim is held: files that decide whether the work is good are not what they were at the start, and the checks are green only with the changes.',
    ...lines,
    'Put them back as they were, and solve the task without changing them. New tests are welcome. If the task cannot be done without such a change, change nothing and say so again: a person then decides.',
  ].join('\n');
}

function deadWords(gates: readonly GateLife[]): string {
  return [
    'You said that it is done, but failures that were planted in a copy of your work went unnoticed:',
    ...gates.filter(({ state }) => state === 'dead').map(({ command, why }) => `- \`${command}\` ${why}`),
    'A check that cannot fail proves nothing. Undo whatever keeps it from running all tests and from failing.',
  ].join('\n');
}

/** One bit, and the operator's hint. */
function sealedWords(hint: string | undefined): string {
  const words = 'You said that it is done, but hidden checks are not satisfied. They look at what the task asks for, not at the tests that you can see.';
  return hint === undefined ? words : `${words}\n${hint}`;
}

function more(count: number): readonly string[] {
  return count > MOST_PATHS ? [`- and ${count - MOST_PATHS} more`] : [];
}

/** For a run whose sealed checks stay red. It says only how often they ran. */
export function sealedOutcome(runs: number): Outcome {
  const message = `The sealed checks were not satisfied in ${runs === 1 ? 'one run' : `${runs} runs`} of them. Look at the work (ralph sealed check shows the details), then start a new run`;
  return notDone('sealed_red', message, 3);
}

/** The files of a held claim in one line, for a person. */
function heldPaths(changed: readonly ChangedDecider[]): string {
  const names = changed.slice(0, 3).map(({ path, why }) => `${path} (${why})`);
  return `${names.join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}`;
}
