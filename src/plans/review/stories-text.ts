import type { StoryPlan } from '../../journal/words/story.ts';

/** The list as a file, laid out as the file it takes the place of. */
export function storiesText(plan: StoryPlan, like: string | null): string {
  const layout = layoutOf(like);
  const text = `${JSON.stringify(plan, null, layout.indent)}\n`;
  return layout.lineBreak === '\n' ? text : text.replaceAll('\n', layout.lineBreak);
}

const USUAL = { indent: '  ', lineBreak: '\n' };
/** JSON.stringify indents no deeper. */
const WIDEST_INDENT = 10;

/** By the first line that is indented; a list on a single line stays on one. */
function layoutOf(like: string | null): { readonly indent: string; readonly lineBreak: string } {
  const first = like?.trimStart() ?? '';
  const end = first.indexOf('\n');
  if (!first.startsWith('{')) return USUAL;
  if (end < 0 || first.slice(end).trim() === '') return { ...USUAL, indent: '' };
  const indent = /^[ \t]*/.exec(first.slice(end + 1, end + 1 + WIDEST_INDENT))?.[0] ?? '';
  return { indent: indent === '' ? USUAL.indent : indent, lineBreak: first[end - 1] === '\r' ? '\r\n' : '\n' };
}
