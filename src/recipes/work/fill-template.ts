import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { oneLine } from '../../kit/pure/one-line.ts';

const PLACEHOLDER = /\{\{[ \t]*([^{}\s]{1,80})[ \t]*\}\}/g;
/** A placeholder that has a line for itself, with the empty line after it. */
const ALONE = /^[ \t]*\{\{[ \t]*([^{}\s]{1,80})[ \t]*\}\}[ \t]*(?:\n(?:[ \t]*\n)?|$)/gm;

/** Puts values in the place of `{{name}}`. No value is looked into again, so a text can bring no placeholders. A line whose only placeholder is empty goes. */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template
    .replaceAll('\r\n', '\n')
    .replace(ALONE, (line, name: string) => (values.get(name) === '' ? '' : line))
    .replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** Whether a template asks for that value anywhere. */
export function asksFor(template: string, name: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].some((found) => found[1] === name);
}

/** What a template asks for and nobody can give it, each with its line. */
export function unknownPlaceholders(template: string, names: readonly string[]): readonly string[] {
  return template.split(/\r?\n/).flatMap((line, index) =>
    [...line.matchAll(/\{\{([^{}]{0,80})\}\}/g)]
      .map((found) => (found[1] ?? '').trim())
      .filter((name) => !names.includes(name))
      .map((name) => `line ${index + 1}: there is no placeholder {{${oneLine(name)}}}${suggestion(name, names)}`),
  );
}

function suggestion(name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  return meant === null ? '' : `, did you mean {{${meant}}}?`;
}
