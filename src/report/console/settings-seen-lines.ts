import { type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';

/** An edit that does nothing is worth a word: whoever made it waits for it to take effect. */
export function settingsSeenLines(files: readonly string[], { glyphs }: Look): readonly Line[] {
  const were = files.length === 1 ? 'was' : 'were';
  return [prose(span(`${glyphs.warning}${files.join(' and ')} ${were} changed. This run keeps the settings it was started with.`, 'busy'))];
}
