import { printable } from '../../kit/pure/text.ts';

/** Markup that is safe to print. Only `html` makes it. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[];

/** A template in which every value is text, unless it is markup that another template made. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: parts.map((part, index) => `${part}${index < values.length ? markupOf(values[index] ?? '') : ''}`).join('') };
}

function markupOf(value: Value): string {
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return escaped(value);
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

/** Control characters and changes of the text direction become visible symbols, so that nothing can hide. */
function escaped(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => printable(line).replaceAll(/[&<>"'`]/g, (character) => ENTITIES[character] ?? ''))
    .join('\n');
}
