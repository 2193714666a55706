import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A plan as another tool or a person has written it. */
export function planSample(name: string): string {
  return readFileSync(join(import.meta.dirname, '../fixtures/plans', name), 'utf8');
}

/** The lines that differ, as `number: old → new`. Both texts must have the same number of lines. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, news] = [before.split('\n'), after.split('\n')];
  if (old.length !== news.length) return [`${old.length} lines became ${news.length}`];
  return old.flatMap((line, index) => (line === news[index] ? [] : [`${index + 1}: ${line.trim()} → ${news[index]?.trim()}`]));
}
