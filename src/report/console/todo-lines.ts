import type { TodoItem } from '../../journal/words/agent-event.ts';
import { shorten } from './excerpt.ts';
import { blank, type Line, line, span, type Tone } from './line.ts';
import type { Look } from './look.ts';

const SHOWN_ITEMS = 30;
const ITEM_CHARS = 70;

const tones: Readonly<Record<TodoItem['status'], Tone>> = { completed: 'good', in_progress: 'busy', pending: 'dim' };

/** The agent's own list of what is to be done, and how far it is (seed 001). An empty list is not shown. */
export function todoLines(items: readonly TodoItem[], { glyphs }: Look): readonly Line[] {
  if (items.length === 0) return [];
  const shown = items
    .slice(0, SHOWN_ITEMS)
    .map((item) =>
      line(
        span(`  ${glyphs.todo[item.status]}`),
        span(shorten(item.text, ITEM_CHARS), tones[item.status]),
        span(priorityText(item), 'dim'),
        span(item.status === 'in_progress' ? ' ← ACTIVE' : '', 'busy'),
      ),
    );
  const hidden = items.length - shown.length;
  return [
    blank,
    line(span(`${glyphs.todoHeading}Todo List`, 'accent')),
    ...shown,
    ...(hidden > 0 ? [line(span(`  ... ${hidden} more`, 'dim'))] : []),
    blank,
    line(span(`  ${glyphs.progress}${progress(items)}`, 'dim')),
    blank,
  ];
}

/** Medium is what an item has that nobody gave a priority. */
function priorityText({ priority = 'medium' }: TodoItem): string {
  return priority === 'medium' ? '' : ` [${priority}]`;
}

function progress(items: readonly TodoItem[]): string {
  const count = (status: TodoItem['status']) => items.filter((item) => item.status === status).length;
  const done = count('completed');
  const percent = Math.round((done / items.length) * 100);
  return `Progress: ${done}/${items.length} (${percent}%) | ${count('in_progress')} active, ${count('pending')} pending`;
}
