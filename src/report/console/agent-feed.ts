import type { AgentEvent, TodoItem } from '../../journal/words/agent-event.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { blank, indented, type Line, line, prose, span, type Tone } from './line.ts';
import { type DisplaySettings, excerpt, linesOf, shorten, textSize } from './look.ts';
import {
  errorLines,
  fileChangedLines,
  noteLines,
  rateLimitLines,
  retryLines,
  subagentFinishedLines,
  subagentStartedLines,
  toolEndLines,
  toolStartLines,
} from './tool-lines.ts';
import { verboseLine } from './verbose-lines.ts';

/** Turns the stream of one attempt into lines. It remembers the running tools, so that a result can name its call. */
export interface AgentFeed {
  readonly events: number;
  /** Records an event; its lines are computed only when the returned function is called. */
  linesFor(event: AgentEvent, nowMs: number): () => readonly Line[];
}

interface Call {
  readonly name: string;
  readonly indent: number;
  readonly atMs: number;
}

const MOST_CALLS = 1000;
const MOST_CHARS = 400;
const INDENT = 2;

/** Not shown as calls: their effect is the todo list, which is shown as a whole. */
export const LIST_TOOLS: ReadonlySet<string> = new Set(['TodoWrite', 'todo_write', 'TaskCreate', 'TaskUpdate', 'write_todos', 'todowrite']);

export function openAgentFeed(look: DisplaySettings, verbose: boolean): AgentFeed {
  const calls = new Map<string, Call>();
  let events = 0;
  let list: readonly TodoItem[] = [];

  /** Bounded, because an agent may start calls that never end: the oldest call is forgotten first. */
  function remember(id: string, call: Call): void {
    if (id.length + call.name.length > MOST_CHARS) return;
    const [oldest] = calls.keys();
    if (calls.size >= MOST_CALLS && oldest !== undefined) calls.delete(oldest);
    calls.set(id, call);
  }

  function started(event: Extract<AgentEvent, { type: 'tool.started' }>, atMs: number): () => readonly Line[] {
    const indent = event.subagent === undefined ? 0 : INDENT;
    remember(event.id, { name: event.name, indent, atMs });
    return () => (LIST_TOOLS.has(event.name) ? [] : indented(toolStartLines(event, look), indent));
  }

  function finished({ id, ok, output, exitCode }: Extract<AgentEvent, { type: 'tool.finished' }>, nowMs: number): () => readonly Line[] {
    const call = calls.get(id);
    calls.delete(id);
    const tookMs = verbose && call ? nowMs - call.atMs : null;
    const isListed = ok && LIST_TOOLS.has(call?.name ?? '');
    return () =>
      isListed ? [] : indented(toolEndLines({ name: call?.name ?? null, ok, output, exitCode: exitCode ?? null, tookMs }, look), call?.indent ?? 0);
  }

  /** Some agents repeat their list at the end of every turn; an unchanged list is not shown again. */
  function planned(items: readonly TodoItem[]): () => readonly Line[] {
    const isOld = isSameList(items, list);
    list = items;
    return () => (isOld ? [] : todoLines(items, look));
  }

  return {
    get events() {
      return events;
    },
    linesFor(event, nowMs) {
      events += 1;
      if (event.type === 'tool.started') return started(event, nowMs);
      if (event.type === 'tool.finished') return finished(event, nowMs);
      if (event.type === 'todo') return planned(event.items);
      // A sub-agent whose call is already on the screen is not announced a second time.
      if (event.type === 'subagent.started' && calls.has(event.id)) return () => [];
      return () => plainLines(event, look, verbose);
    },
  };
}

function isSameList(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  const isSame = (item: TodoItem, other: TodoItem | undefined) => item.text === other?.text && item.status === other.status && item.priority === other.priority;
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

type Plain = Exclude<AgentEvent, { type: 'tool.started' | 'tool.finished' | 'todo' }>;

function plainLines(event: Plain, look: DisplaySettings, verbose: boolean): readonly Line[] {
  switch (event.type) {
    case 'session.started':
      return verbose ? [verboseLine(`session: ${event.sessionId}${event.model === undefined ? '' : ` (${event.model})`}`)] : [];
    case 'message':
      return indented(messageLines(event.text), event.subagent === undefined ? 0 : INDENT);
    case 'reasoning':
      return reasoningLines(event.text, look);
    case 'file.changed':
      return fileChangedLines(event, look);
    case 'subagent.started':
      return subagentStartedLines(event, look);
    case 'subagent.finished':
      return subagentFinishedLines(event, look);
    case 'retry':
      return retryLines(event);
    case 'rate_limit':
      return rateLimitLines(event, look);
    case 'error':
      return errorLines(event, look);
    case 'note':
      return noteLines(event);
    case 'raw':
      return verbose ? [verboseLine(`not understood: ${shorten(event.line, 200)}`)] : [];
    case 'usage':
    case 'turn.finished':
      return [];
    default:
      return assertNever(event);
  }
}

const MESSAGE_CHARS = 8000;
const MESSAGE_LINES = 100;

/** The agent's message in full, unless it is extremely long. */
export function messageLines(text: string): readonly Line[] {
  const said = text.trim();
  if (said === '') return [];
  const head = linesOf(said, MESSAGE_CHARS);
  const lines = head.slice(0, MESSAGE_LINES).map((each) => prose(span(each)));
  if (said.length <= MESSAGE_CHARS && head.length <= MESSAGE_LINES) return lines;
  const size = textSize(said);
  return [...lines, line(span(`... (${size.lines} lines, ${size.chars} chars in all)`, 'dim'))];
}

/** The first lines of its reasoning only. */
function reasoningLines(text: string, { glyphs, outputLines, outputChars }: DisplaySettings): readonly Line[] {
  const { shown } = excerpt(text, { lines: outputLines, lineChars: outputChars });
  return shown.map((each, index) => line(span(index === 0 ? glyphs.thought : '   ', 'dim'), span(each, 'dim')));
}

const SHOWN_ITEMS = 30;
const ITEM_CHARS = 70;

const tones: Readonly<Record<TodoItem['status'], Tone>> = { completed: 'good', in_progress: 'busy', pending: 'dim' };

/** The agent's own todo list and its progress (seed 001). An empty list is not shown. */
export function todoLines(items: readonly TodoItem[], { glyphs }: DisplaySettings): readonly Line[] {
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

/** Medium is the default, so it is not named. */
function priorityText({ priority = 'medium' }: TodoItem): string {
  return priority === 'medium' ? '' : ` [${priority}]`;
}

function progress(items: readonly TodoItem[]): string {
  const count = (status: TodoItem['status']) => items.filter((item) => item.status === status).length;
  const done = count('completed');
  const percent = Math.round((done / items.length) * 100);
  return `Progress: ${done}/${items.length} (${percent}%) | ${count('in_progress')} active, ${count('pending')} pending`;
}
