import { fenced, oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';

/** All that could begin markup, a link or a mention. An underscore inside a word cannot. */
const MARKUP = /[&<>"'`*~|\\[\]$@]|:(?=\/\/)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Foreign text on one line of Markdown or HTML, in a table too: read as it is, whatever it holds. */
export function plainText(text: string, mostChars = 300): string {
  const line = oneLine(
    truncateCodePoints(text, mostChars, '…')
      .split(/[\r\n]+/)
      .map(printable)
      .join(' '),
  );
  return line.replaceAll(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

/** A command, in letters of one width. */
export function codeText(text: string): string {
  return `<code>${plainText(text)}</code>`;
}

/** What a check printed, in a block it cannot leave. */
export function outputBlock(output: string): string {
  return fenced(output.trimEnd().split(/\r?\n/).map(printable).join('\n'));
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Blocks of Markdown need a blank line between them. */
export function blocks(...parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
