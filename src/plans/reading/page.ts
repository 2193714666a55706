import type { PlanProblem } from '../../journal/words/plan.ts';
import { readByLibrary } from '../sheet/read-by-library.ts';
import { readQuickly } from '../sheet/read-quickly.ts';
import type { SheetMap } from '../sheet/sheet.ts';

/** A text and its file, so that problems can be reported with their place. */
export interface Page {
  readonly file: string;
  readonly text: string;
  readonly lineOf: (offset: number) => number;
}

/** The place of something that may turn out to be wrong. */
export interface Spot {
  readonly page: Page;
  readonly offset: number;
}

/** A part of a file may begin at a later line. */
export function openPage(file: string, text: string, firstLine = 1): Page {
  let starts: number[] | null = null;
  return {
    file,
    text,
    lineOf(offset) {
      starts ??= lineStarts(text);
      return firstLine + countUpTo(starts, offset) - 1;
    },
  };
}

export function problemAt({ page, offset }: Spot, message: string, task: string | null = null): PlanProblem {
  return { file: page.file, line: page.lineOf(offset), message, task };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}

/** How many of them are not beyond the offset. */
function countUpTo(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Parses a page whose top must be a map: with the quick reader if possible, else with the library. Null when it cannot be read or is not a map; the problems
 * say why.
 */
export async function readSheet(page: Page, problems: PlanProblem[]): Promise<SheetMap | null> {
  const known = problems.length;
  const complain = (offset: number, message: string) => problems.push(problemAt({ page, offset }, message));
  const sheet = readQuickly(page.text) ?? (await readByLibrary(page.text, complain));
  if (sheet?.kind === 'map') return sheet;
  if (sheet !== null) complain(sheet.start, 'it must be a map of names and values');
  else if (problems.length === known) complain(0, 'it is empty');
  return null;
}

/** Why a path of a plan is not valid; null when it is. The file system is not read. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return `${path} is not relative to the top of the work tree`;
  if (path.split(/[\\/]/).includes('..')) return `${path} leads out of the work tree`;
  return path.includes('\0') ? 'a path cannot contain NUL' : null;
}

/** Parses a page that must be a JSON object; null when it is not one, and the problems say why. */
export async function readJson(page: Page, problems: PlanProblem[]): Promise<SheetMap | null> {
  const trouble = whyNoJson(page.text);
  if (trouble === null) return await readSheet(page, problems);
  problems.push({ file: page.file, line: page.lineOf(trouble.offset), message: trouble.message, task: null });
  return null;
}

/** Why a text is not JSON, and where; null when it is. */
function whyNoJson(text: string): { readonly offset: number; readonly message: string } | null {
  const message = complaintAbout(text);
  if (message === null) return null;
  const told = /at position (\d+)/.exec(message)?.[1];
  const offset = told === undefined ? viableLength(text) : Number(told);
  return { offset, message: inWords(message) };
}

function complaintAbout(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The parser does not always say where it stopped. It is where a prefix of the text stops being a prefix of any JSON. */
function viableLength(text: string): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (/^(?:Unexpected end|Unterminated)/.test(complaintAbout(text.slice(0, middle)) ?? 'Unexpected end')) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without the quoted piece of text and the position: the line says it. */
function inWords(message: string): string {
  return message.replace(/, (?:\.{3})?".*$/s, ' in JSON').replace(/ at position \d+.*$/s, '');
}
