import type { TodoItem } from '../../journal/words/agent-event.ts';

/** The meaning of a text span; the terminal chooses its colour. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'bad' | 'busy' | 'accent';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of the screen, not yet escaped, cut or coloured. The painter does all three, so that no view can forget one. */
export interface Line {
  readonly spans: readonly Span[];
  /** Important lines wrap at the edge of the screen; the others are cut. */
  readonly edge: 'cut' | 'wrap';
  /** A line that wraps does so between words, and continues behind this many columns. Without it the terminal breaks it, so that a command can be copied whole. */
  readonly hang?: number;
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

/** Indents lines, such as those of a sub-agent. */
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
  /** For a whole iteration (seed 004). */
  readonly tick: string;
  readonly cross: string;
  readonly checks: string;
  readonly warning: string;
  readonly thought: string;
  /** Attaches a detail to the line above. */
  readonly elbow: string;
  readonly todoHeading: string;
  readonly todo: Readonly<Record<TodoItem['status'], string>>;
  readonly progress: string;
  /** For a run on a plan (seed 000). */
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
