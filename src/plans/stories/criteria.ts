const HEADING = 'Acceptance criteria:';
const MARK = `\n\n${HEADING}\n`;

/** What a story wants and how it is seen that it has it, as one text. */
export function withCriteria(description: string, criteria: readonly string[]): string {
  if (criteria.length === 0) return description;
  return `${description}${MARK}${criteria.map((text) => `- ${text.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n')}`.trimStart();
}

/** Back again. Null: there are no criteria in it. */
export function withoutCriteria(text: string): { readonly description: string; readonly criteria: readonly string[] } | null {
  const padded = text.startsWith(HEADING) ? `\n\n${text}` : text;
  const at = padded.lastIndexOf(MARK);
  const lines = at < 0 ? [] : padded.slice(at + MARK.length).split('\n');
  if (lines.length === 0 || lines.some((line) => !line.startsWith('- '))) return null;
  return { description: padded.slice(0, at), criteria: lines.map((line) => line.slice(2)) };
}
