import type { PlanProblem } from '../../journal/words/plan.ts';
import { readByLibrary } from '../sheet/read-by-library.ts';
import { readQuickly } from '../sheet/read-quickly.ts';
import type { SheetMap } from '../sheet/sheet.ts';
import { type Page, problemAt } from './page.ts';

/** Reads a page whose top must be a map: quickly if it can, else by the library. Null when it cannot be read, or is no map: the problems say why. */
export async function readSheet(page: Page, problems: PlanProblem[]): Promise<SheetMap | null> {
  const known = problems.length;
  const complain = (offset: number, message: string) => problems.push(problemAt({ page, offset }, message));
  const sheet = readQuickly(page.text) ?? (await readByLibrary(page.text, complain));
  if (sheet?.kind === 'map') return sheet;
  if (sheet !== null) complain(sheet.start, 'it must be a map of names and values');
  else if (problems.length === known) complain(0, 'there is nothing in it');
  return null;
}
