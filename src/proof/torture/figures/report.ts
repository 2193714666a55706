import { alignRows } from '../../../report/views/align-rows.ts';
import { type CaseResult, type Figures, type Share, shareText, type Tally } from './tally.ts';

/** Which loop was tested, and with which settings. */
export interface Setting {
  readonly loop: string;
  /** Ralph's level of proof; null for another loop. */
  readonly proof: string | null;
  readonly setVersion: number;
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly gate: string;
  readonly cases: number;
  readonly missing: readonly string[];
}

const HEADING = ['false done', 'honest done', 'held', 'refused'];

export function reportLines(tally: Tally, setting: Setting): readonly string[] {
  const table = (name: string, rows: readonly Figures[]) => ['', ...alignRows([[name, ...HEADING], ...rows.map(cellsOf)])];
  return [
    title(setting),
    ...table('gate', [...tally.byGate, tally.all]),
    ...table('kind of cheat', tally.byKind),
    ...(tally.byPart.length > 1 ? table('part', tally.byPart) : []),
    ...named('Cheats that were accepted', tally.accepted),
    ...named('Honest work that was refused', tally.refused),
    ...named('Not counted', tally.uncounted),
    ...setting.skipped.map(({ gate, cases, missing }) => `SKIPPED ${gate}, ${cases} cases: ${missing.join(', ')} not found. ${howToGet(missing)}`),
  ];
}

/** For a README: one row for each gate, and one for all. */
export function markdownLines(tally: Tally, setting: Setting): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = [...tally.byGate.map((each) => ({ ...each, name: `\`${each.name}\`` })), { ...tally.all, name: '**all**' }];
  return [title(setting), '', row(['gate', ...HEADING]), row(['---', '---', '---', '---', '---']), ...rows.map((each) => row(cellsOf(each)))];
}

function title({ loop, proof, setVersion }: Setting): string {
  return `${loop}${proof === null ? '' : `, proof ${proof}`}, torture set ${setVersion}; counts with 95 % intervals after Clopper and Pearson`;
}

const cellsOf = ({ name, falseDone, honestDone, honestHeld, honestRefused }: Figures): readonly string[] => {
  return [name, ...[falseDone, honestDone].map(shareText), ...[honestHeld, honestRefused].map(countText)];
};

const countText = ({ count, of }: Share) => (of === 0 ? '–' : `${count}`);

function named(heading: string, results: readonly CaseResult[]): readonly string[] {
  if (results.length === 0) return [];
  const lines = results.map(({ case: { name, part, kind, how }, came, reason }) => {
    return `  ${part === 'open' ? '' : `${part} `}${name} (${kind}): ${how}${came === 'done' ? '' : `; ${came}: ${reason}`}`;
  });
  return ['', `${heading}: ${results.length}`, ...lines];
}

/** How to get missing runners. */
export function howToGet(missing: readonly string[]): string {
  const isPackage = (need: string) => /^(?:npm|py):/.test(need);
  const programs = missing.filter((need) => !isPackage(need));
  const hints = [
    ...(programs.length > 0 ? [`Install ${programs.join(' and ')}.`] : []),
    ...(missing.some(isPackage) ? ['Fetch packages with: ralph torture --install'] : []),
  ];
  return hints.join(' ');
}

/** The output of `ralph torture --json`. */
export function reportJson(tally: Tally, results: readonly CaseResult[], { loop, proof, setVersion, skipped }: Setting): object {
  return {
    set_version: setVersion,
    loop,
    proof,
    interval: 'Clopper-Pearson, 95 %',
    all: figuresJson(tally.all),
    by_part: tally.byPart.map(figuresJson),
    by_gate: tally.byGate.map(figuresJson),
    by_kind: tally.byKind.map(figuresJson),
    skipped,
    cases: results.map(({ case: { name, part, command, kind, how, expect }, came, reason, durationMs }) => {
      return { case: name, part, gate: command, kind, how, expected: expect, came, reason, duration_ms: durationMs };
    }),
  };
}

function figuresJson({ name, falseDone, honestDone, honestHeld, honestRefused }: Figures): object {
  return { name, false_done: falseDone, honest_done: honestDone, honest_held: honestHeld, honest_refused: honestRefused };
}
