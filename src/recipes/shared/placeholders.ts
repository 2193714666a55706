import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { oneLine } from '../../kit/pure/text.ts';

/** How a template names a value: the pattern has the name as its first group, and `show` writes a name as the template would. */
interface Spelling {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly show: (name: string) => string;
}

/** The placeholders that are almost one of ours, each with its line. Any other belongs to somebody else, as all do in a code block, and is left as it is. */
export function mistypedPlaceholders(template: string, { pattern, names, show }: Spelling): readonly string[] {
  let fence: string | null = null;
  return template.split(/\r?\n/).flatMap((line, index) => {
    const [, sign] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    const wasCode = fence !== null;
    if (sign !== undefined && fence === null) fence = sign;
    else if (sign !== undefined && fence !== null && sign.startsWith(fence)) fence = null;
    if (wasCode || sign !== undefined) return [];
    return [...line.matchAll(pattern)].flatMap(([, found = '']) => {
      const name = found.trim();
      const meant = names.includes(name) ? null : didYouMean(name, names);
      return meant === null ? [] : [`line ${index + 1}: there is no placeholder ${show(oneLine(name))}, did you mean ${show(meant)}?`];
    });
  });
}
