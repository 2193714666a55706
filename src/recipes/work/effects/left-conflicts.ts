import { join } from 'node:path';
import { readText } from '../../../kit/files/read-text.ts';

/** What git writes around both sides, each at the beginning of a line. */
const MARKERS = [/^<{7} /m, /^={7}$/m, /^>{7} /m];

/** Those of the files that still have both sides in them: committed or not, they are not resolved. */
export async function leftConflicts(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(paths.map((path) => readText(join(top, path), 'refuse pipes')));
  return paths.filter((_, index) => {
    const text = texts[index];
    return text?.kind === 'text' && MARKERS.every((marker) => marker.test(text.text.replaceAll('\r\n', '\n')));
  });
}
