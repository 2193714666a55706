/** What a piece of text means to the eye; the terminal decides which colour that is. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'busy' | 'accent';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of the screen, not yet made printable, cut or coloured: whoever paints it does all three, so that no view can forget. */
export interface Line {
  readonly spans: readonly Span[];
  /** What the run and the agent have to say may run over the edge of the screen; what only gives an impression is cut there. */
  readonly edge: 'cut' | 'wrap';
}

export function line(...spans: readonly Span[]): Line {
  return { spans, edge: 'cut' };
}

export function prose(...spans: readonly Span[]): Line {
  return { spans, edge: 'wrap' };
}

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

export const blank: Line = line();

/** Moves lines to the right, as the ones of a sub-agent are. */
export function indented(lines: readonly Line[], columns: number): readonly Line[] {
  if (columns === 0) return lines;
  const margin = span(' '.repeat(columns));
  return lines.map((each) => (each.spans.length === 0 ? each : { ...each, spans: [margin, ...each.spans] }));
}
