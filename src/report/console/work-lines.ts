import { indented, type Line, prose, type Span, span, type Tone } from './line.ts';

/** What happens to a task stands below its heading (seed 000), what its agent says below that. */
const STEP_COLUMNS = 4;
export const SPEECH_COLUMNS = 6;

/** `    ✓ Claude finished (56s)`. */
export function step(text: string, tone: Tone = 'plain', ...more: readonly Span[]): Line {
  return prose(span(`${' '.repeat(STEP_COLUMNS)}${text}`, tone), ...more);
}

/** What a line above it does not say. */
export function detail(text: string): Line {
  return prose(span(`${' '.repeat(SPEECH_COLUMNS)}${text}`, 'dim'));
}

/** Lines of any run as the ones of a task: moved to the right, close together. */
export function below(lines: readonly Line[], columns: number = STEP_COLUMNS): readonly Line[] {
  return indented(
    lines.filter(({ spans }) => spans.length > 0),
    columns,
  );
}

/** The first few, and how many there are beside them. */
export function firstOf(texts: readonly string[], most: number): readonly string[] {
  const hidden = texts.length - most;
  return hidden > 0 ? [...texts.slice(0, most), `and ${hidden} more`] : texts;
}
