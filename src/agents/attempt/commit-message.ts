import { truncateCodePoints } from '../../kit/pure/text.ts';

/** A message is a sentence or a page, never a book. */
const MOST_CHARS = 5_000;

/**
 * The content of the first `<response>`, else the first line that is not blank (seed 001); null when there is neither. Code fences do not count as lines. The
 * text is kept as it is, except for control characters.
 */
export function commitMessage(said: string): string | null {
  const words = firstResponse(said) ?? said.split('\n').find(saysSomething) ?? '';
  const message = truncateCodePoints(
    words
      .replaceAll('\r\n', '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
    MOST_CHARS,
    '…',
  );
  return message === '' ? null : message;
}

function firstResponse(said: string): string | null {
  const opening = /<response>/i.exec(said);
  if (opening === null) return null;
  const content = said.slice(opening.index + opening[0].length);
  const end = content.search(/<\/response>/i);
  return end === -1 ? null : content.slice(0, end);
}

const saysSomething = (line: string) => line.trim() !== '' && !/^\s*(?:```|~~~)/.test(line);
