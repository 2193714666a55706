import type { TodoItem } from '../../journal/words/agent-event.ts';

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

/** The marks before a line (seed 001): emoji, or text for terminals and logs that cannot show them. */
export interface Glyphs {
  readonly tool: string;
  readonly good: string;
  readonly bad: string;
  /** Of a whole iteration (seed 004). */
  readonly tick: string;
  readonly cross: string;
  readonly checks: string;
  readonly warning: string;
  readonly thought: string;
  /** Hangs a detail below the line it belongs to. */
  readonly elbow: string;
  readonly todoHeading: string;
  readonly todo: Readonly<Record<TodoItem['status'], string>>;
  readonly progress: string;
  /** Of a run on a plan (seed 000). */
  readonly loop: string;
  readonly step: string;
  readonly caution: string;
  readonly hourglass: string;
  readonly pause: string;
  readonly halt: string;
  /** Drawn across the screen between two iterations (seed 003). */
  readonly rule: string;
}

export const emojiGlyphs: Glyphs = {
  tool: '⏺ ',
  good: '✅ ',
  bad: '❌ ',
  tick: '✓ ',
  cross: '✗ ',
  checks: '🧪 ',
  warning: '⚠️ ',
  thought: '💭 ',
  elbow: '  ⎿  ',
  todoHeading: '📋 ',
  todo: { completed: '✅ ', in_progress: '🔄 ', pending: '⏸️ ' },
  progress: '📊 ',
  loop: '🔄 ',
  step: '→ ',
  caution: '⚠ ',
  hourglass: '⏳ ',
  pause: '⏸ ',
  halt: '🛑 ',
  rule: '═',
};

export const textGlyphs: Glyphs = {
  tool: '> ',
  good: '[OK] ',
  bad: '[ERR] ',
  tick: '[OK] ',
  cross: '[ERR] ',
  checks: '',
  warning: '[WARN] ',
  thought: '(thinking) ',
  elbow: '  |  ',
  todoHeading: '',
  todo: { completed: '[x] ', in_progress: '[>] ', pending: '[ ] ' },
  progress: '',
  loop: '',
  step: '-> ',
  caution: '[WARN] ',
  hourglass: '[WAIT] ',
  pause: '[WAIT] ',
  halt: '[STOP] ',
  rule: '=',
};
