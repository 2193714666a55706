import { fenced, oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';

/** Every character that could start markup, a link or a mention. An underscore inside a word cannot. */
const MARKUP = /[&<>"'`*~|\\[\]$@]|:(?=\/\/)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Untrusted text on one line of Markdown or HTML, also in a table: displayed literally, whatever it contains. */
export function plainText(text: string, mostChars = 300): string {
  const line = oneLine(
    truncateCodePoints(text, mostChars, '…')
      .split(/[\r\n]+/)
      .map(printable)
      .join(' '),
  );
  return line.replaceAll(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

/** A command in a monospace font. */
export function codeText(text: string): string {
  return `<code>${plainText(text)}</code>`;
}

/** The output of a check, in a block that it cannot break out of. */
export function outputBlock(output: string): string {
  return fenced(output.trimEnd().split(/\r?\n/).map(printable).join('\n'));
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Markdown blocks need a blank line between them. */
export function blocks(...parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
