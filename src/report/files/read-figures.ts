import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBody } from '../../journal/events/journal-event.ts';
import { openLine } from '../../store/journal-file.ts';
import { nameRuns } from '../../store/runs/read-runs.ts';
import { addToFigures, FIGURES_READ, type Figures, noFigures } from '../history/figures.ts';

/**
 * The figures of every run that started at that time or later; null for one that cannot be read. Made for thousands of runs: lines that figures do not need are
 * not parsed, and digests are not checked, because nothing is decided here.
 */
export async function* readFigures(folders: readonly string[], fromMs: number): AsyncGenerator<Figures | null, void> {
  for (const folder of folders) {
    for (const name of (await nameRuns(folder)).names.toReversed()) {
      if (name.slice(0, SECOND_CHARS) < secondOf(fromMs)) continue;
      const figures = figuresIn(join(folder, name, 'journal.jsonl'));
      if (figures !== 'none') yield figures;
    }
  }
}

/** The id of a run begins with the second in which it was made. */
const SECOND_CHARS = 'yyyymmdd-hhmmss'.length;

const secondOf = (ms: number) => new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

const NEEDED = new RegExp(`^\\{"v":\\d+,"seq":\\d+,"at":(\\d+),"type":"(?:${FIGURES_READ.map((type) => type.replace('.', '\\.')).join('|')})"`);

/** `none`: the run never began. */
function figuresIn(journal: string): Figures | null | 'none' {
  try {
    const figures = noFigures();
    for (const sealed of readFileSync(journal, 'utf8').split('\n').slice(0, -1)) add(figures, sealed);
    return figures.settings === null ? 'none' : figures;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : null;
  }
}

function add(figures: Figures, sealed: string): void {
  const [, at] = NEEDED.exec(sealed.slice(0, HEAD_CHARS)) ?? [];
  if (at === undefined) return;
  const { v, seq, at: _, ...body } = JSON.parse(openLine(sealed).line);
  addToFigures(figures, { v, seq, at: Number(at), body: EventBody.parse(body) });
}

/** Enough for the fields in front of every event. */
const HEAD_CHARS = 120;
