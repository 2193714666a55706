import { type Line, span } from '../console/line.ts';
import { clockTime } from './clock-time.ts';
import { type Paper, paint } from './paint.ts';

export interface PrinterOptions extends Paper {
  readonly write: (text: string) => void;
  /** Whether the time of day stands before every line. */
  readonly timestamps: boolean;
  readonly nowMs: () => number;
}

/** One write for all the lines of an event, so that nothing of another process comes between them; never two blank lines in a row. */
export function openPrinter({ write, timestamps, nowMs, ...paper }: PrinterOptions): (lines: readonly Line[]) => void {
  let afterBlank = true;
  const stamped = (each: Line): Line => {
    if (!timestamps || isBlank(each)) return each;
    const now = nowMs();
    return { ...each, spans: [span(`[${clockTime(now, now)}] `, 'dim'), ...each.spans] };
  };
  return (lines) => {
    const texts: string[] = [];
    for (const each of lines) {
      if (afterBlank && isBlank(each)) continue;
      afterBlank = isBlank(each);
      texts.push(`${paint(stamped(each), paper)}\n`);
    }
    if (texts.length > 0) write(texts.join(''));
  };
}

const isBlank = (each: Line) => each.spans.length === 0;
