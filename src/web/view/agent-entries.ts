import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { toolInput } from '../../report/console/tool-lines.ts';
import type { AgentEntry } from './page.ts';
import { shortened } from './shown-text.ts';

const TEXT_CHARS = 8_000;
const OUTPUT_CHARS = 4_000;

/** Null for what nobody needs to read. */
export function agentEntry(event: AgentEvent): AgentEntry | null {
  if (event.type === 'message') return entry('say', event.text);
  if (event.type === 'reasoning') return entry('think', event.text);
  if (event.type === 'raw') return entry('say', event.line);
  if (event.type === 'tool.started') return { ...entry('tool', toolInput(event.name, event.input) || inputText(event.input)), name: event.name, id: event.id };
  if (event.type === 'tool.finished') return { ...entry('result', event.output, OUTPUT_CHARS), ok: event.ok, id: event.id };
  return otherEntry(event);
}

function otherEntry(event: AgentEvent): AgentEntry | null {
  if (event.type === 'todo') return entry('todo', event.items.map(({ status, text }) => `${MARKS[status]} ${text}`).join('\n'));
  if (event.type === 'note') return entry('note', event.text);
  if (event.type === 'error') return { ...entry('error', event.message || event.kind), ok: false };
  if (event.type === 'retry') return entry('note', 'waits for its model');
  if (event.type === 'file.changed') return entry('note', `${event.kind} ${event.path}`);
  if (event.type === 'subagent.started') return entry('note', `sub-agent: ${event.description ?? event.kind}`);
  return null;
}

const MARKS = { pending: '☐', in_progress: '▸', completed: '☑' } as const;

function entry(kind: AgentEntry['kind'], text: string, mostChars = TEXT_CHARS): AgentEntry {
  return { kind, name: '', id: null, ok: true, ansi: shortened(text.trimEnd(), mostChars) };
}

function inputText(input: unknown): string {
  return input === undefined || input === null ? '' : shortened(JSON.stringify(input), OUTPUT_CHARS);
}
