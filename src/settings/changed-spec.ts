import type { Ports } from '../engine/ports/ports.ts';
import { readText } from '../kit/files/read-text.ts';

/** Tells what the specification says now, and whether that is news; the first thing it is compared with is what the run was started on. */
export function watchSpec(atStart: string): Ports['changedSpec'] {
  let known: string | null = atStart;
  return async (path) => {
    const read = await readText(path, 'refuse pipes');
    const text = read.kind === 'text' ? read.text : null;
    const isNew = text !== known;
    known = text;
    return { text, isNew };
  };
}
