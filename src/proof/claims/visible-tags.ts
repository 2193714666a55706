import type { ClaimSpec } from '../../journal/words/claim.ts';
import { openCodeSpans } from './code-spans.ts';

/** One tag as it stands in a line. `<name>` opens, `</name>` closes, `<name/>` is empty. */
export interface VisibleTag {
  readonly name: string;
  readonly form: 'opening' | 'closing' | 'empty';
  readonly start: number;
  readonly end: number;
}

/** Finds the tags in which these claims are made. The words are literal text, whatever characters they hold. */
export function tagPattern(specs: readonly ClaimSpec[]): RegExp {
  const names = new Set(specs.flatMap(namesOf));
  return new RegExp(`<(/?)(${[...names].map(escaped).join('|')})( ?/)?>`, 'gi');
}

function namesOf({ kind, word }: ClaimSpec): readonly string[] {
  if (kind === 'tag') return [word.trim().normalize('NFC'), word.trim().normalize('NFD')];
  return [kind === 'question' ? 'promise' : kind];
}

/** The tags of one line from left to right, but for those in inline code. */
export function* visibleTags(line: string, pattern: RegExp): Generator<VisibleTag> {
  if (line.search(pattern) === -1) return;
  let isCode: ((position: number) => boolean) | null = null;
  for (const match of line.matchAll(pattern)) {
    isCode ??= openCodeSpans(line);
    if (isCode(match.index)) continue;
    const [whole, closing, name = '', empty] = match;
    yield { name, form: closing ? 'closing' : empty ? 'empty' : 'opening', start: match.index, end: match.index + whole.length };
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
