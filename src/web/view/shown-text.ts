import { lastCodePoints, printable, truncateCodePoints } from '../../kit/pure/text.ts';

const ESCAPE = '\u001b';
const COLOUR = new RegExp(`(${ESCAPE}\\[[0-9;]{0,40}m)`);
const PLAIN = /^[\n -~]*$/;

/** Text that is safe to show, line by line: no control or deceiving character is left. */
export function shownText(text: string): string {
  if (PLAIN.test(text)) return text;
  return linesOf(text).map(printable).join('\n');
}

/** The same, but commands that set a colour stay; whoever shows it turns them into data. */
export function colouredText(text: string): string {
  if (PLAIN.test(text)) return text;
  return linesOf(text)
    .map((line) =>
      line
        .split(COLOUR)
        .map((part, index) => (index % 2 === 1 ? part : printable(part)))
        .join(''),
    )
    .join('\n');
}

/** A line that is rewritten with carriage returns, such as a progress bar, counts as several lines. */
const linesOf = (text: string) => text.split(/\r\n|\r|\n/);

/** The beginning and the end of a long text. */
export function shortened(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  const half = Math.floor(mostChars / 2);
  const [head, tail] = [truncateCodePoints(text, half, ''), lastCodePoints(text, half)];
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}
