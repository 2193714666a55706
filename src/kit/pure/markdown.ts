import { oneLine } from './one-line.ts';

/** A code block that its own content cannot end: the fence is longer than any run of backticks in it. */
export function fenced(content: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A command or word as inline code on one line, backticks in it included. */
export function codeSpan(text: string): string {
  const code = oneLine(text);
  const ticks = '`'.repeat(longestRun(code) + 1);
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${code}${space}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
