/** The text on one line: line breaks and other control characters, which a terminal would obey, become spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
