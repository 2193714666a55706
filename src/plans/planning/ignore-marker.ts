import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../../kit/files/read-regular.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { MARKER } from './plan-folder.ts';

/** refused: it is a link or cannot be read as text, so it is left as it is. */
export type MarkerIgnored = 'added' | 'there' | 'refused';

/** Adds the marker to the project's .gitignore, once, with the line ends that are there. */
export async function ignoreMarker(project: string): Promise<MarkerIgnored> {
  const path = join(project, '.gitignore');
  const found = lstatSync(path, { throwIfNoEntry: false });
  const text = found === undefined ? '' : readRegular(path);
  if (text === null) return 'refused';
  if (text.split(/\r?\n/).some((line) => [MARKER, `/${MARKER}`].includes(line.trim()))) return 'there';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  await writeAtomic(path, `${text}${gap}${MARKER}${end}`, found === undefined ? 0o644 : found.mode & 0o777);
  return 'added';
}
