import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { LIST_TOOLS } from '../../report/console/agent-feed.ts';
import { toolInput } from '../../report/console/tool-lines.ts';
import type { AgentEntry } from './page.ts';
import { shortened } from './shown-text.ts';

const TEXT_CHARS = 8_000;
const OUTPUT_CHARS = 4_000;

const MOST_CALLS = 1000;

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** Takes the events of one attempt in their order; null for what nobody needs to read. A todo list is shown without the call that wrote it, and once until it changes. */
export function openAgentEntries(): (event: AgentEvent) => AgentEntry | null {
  const listCalls = new Map<string, string>();
  let list = '';

  function started({ id, name, input }: Of<'tool.started'>): AgentEntry | null {
    if (!LIST_TOOLS.has(name) || listCalls.size >= MOST_CALLS) return { ...entry('tool', toolInput(name, input) || inputText(input)), name, id };
    listCalls.set(id, name);
    return null;
  }

  function finished({ id, ok, output }: Of<'tool.finished'>): AgentEntry | null {
    const name = listCalls.get(id);
    listCalls.delete(id);
    if (name === undefined) return { ...entry('result', output, OUTPUT_CHARS), ok, id };
    return ok ? null : { ...entry('error', `${name}: ${output}`, OUTPUT_CHARS), ok };
  }

  function planned({ items }: Of<'todo'>): AgentEntry | null {
    const before = list;
    list = items.map(({ status, text }) => `${MARKS[status]} ${text}`).join('\n');
    return list === before ? null : entry('todo', list);
  }

  return (event) => {
    if (event.type === 'tool.started') return started(event);
    if (event.type === 'tool.finished') return finished(event);
    return event.type === 'todo' ? planned(event) : otherEntry(event);
  };
}

function otherEntry(event: AgentEvent): AgentEntry | null {
  if (event.type === 'message') return entry('say', event.text);
  if (event.type === 'reasoning') return entry('think', event.text);
  if (event.type === 'raw') return entry('say', event.line);
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
