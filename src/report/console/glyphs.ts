import type { TodoItem } from '../../journal/words/agent-event.ts';

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
