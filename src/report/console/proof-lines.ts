import type { EventBody } from '../../journal/events/journal-event.ts';
import type { PathsRestored, ReceiptWritten } from '../../journal/events/proof.ts';
import { shorten } from './excerpt.ts';
import { type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';

const SHOWN_PATHS = 5;
const PATH_CHARS = 300;

/** Which protected paths were touched and are back, and where what the agent had made of them is kept. */
export function restoredLines({ paths, kept }: PathsRestored, { glyphs }: Look): readonly Line[] {
  if (paths.length === 0) return [];
  return [
    prose(span(`${glyphs.warning}Protected, and put back: ${listed(paths)}`, 'bad')),
    ...(kept === null ? [] : [prose(span(`${glyphs.elbow}the agent's version is kept as ${kept}`, 'dim'))]),
  ];
}

/** What the checks themselves have left there: tidied up, and held against nobody. */
export function tidiedLines(paths: readonly string[]): readonly Line[] {
  return paths.length === 0 ? [] : [prose(span(`The checks changed what is protected, and it was put back: ${listed(paths)}`, 'dim'))];
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => shorten(path, PATH_CHARS));
  const hidden = paths.length - shown.length;
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

export function specSeenLines({ path, obeyed }: Extract<EventBody, { type: 'spec.seen' }>, { glyphs }: Look): readonly Line[] {
  const means = obeyed ? 'It counts from now on.' : 'This run keeps what it was started with; --follow-spec would obey it.';
  return [prose(span(`${glyphs.warning}${shorten(path, PATH_CHARS)} was changed. ${means}`, 'busy'))];
}

/** Where the proof of the result is, and how to look at it. */
export function receiptText({ file, commit }: Pick<ReceiptWritten, 'file' | 'commit'>): string {
  return commit === null ? file : `note of commit ${commit.slice(0, 7)} (ralph verify ${commit.slice(0, 7)})`;
}
