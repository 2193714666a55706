import type { AgentEvent, TodoItem } from '../../journal/words/agent-event.ts';
import { type JsonObject, listIn, objectIn, textIn } from '../json.ts';

/** Nobody reads a longer list, and it must not fill the memory. */
const MAX_ITEMS = 500;
const MAX_OPEN_CALLS = 1000;

/** A whole list as TodoWrite and similar tools give it; dropped items are left out. */
export function todoItemsIn(value: unknown): readonly TodoItem[] {
  const items: TodoItem[] = [];
  for (const [index, entry] of listIn(value).slice(0, MAX_ITEMS).entries()) {
    const item = objectIn(entry);
    const status = statusIn(item?.['status']);
    if (item === null || status === 'dropped') continue;
    const text = textIn(item['content']) || textIn(item['subject']) || textIn(item['description']);
    items.push({ id: textIn(item['id']) || String(index + 1), text, status, ...priorityIn(item['priority']) });
  }
  return items;
}

/** Claude's TaskCreate and TaskUpdate: no event ever shows the whole list. Ids are known only from the results. */
export interface TaskList {
  called(id: string, tool: string, input: JsonObject): void;
  /** The list as it is now, if this result changed it. */
  answered(id: string, ok: boolean, result: JsonObject | null): readonly AgentEvent[];
}

export function openTaskList(): TaskList {
  const items = new Map<string, TodoItem>();
  const calls = new Map<string, { readonly tool: string; readonly input: JsonObject }>();

  function create(input: JsonObject, result: JsonObject | null): boolean {
    const task = objectIn(result?.['task']);
    const id = textIn(task?.['id']);
    if (id === '' || items.size >= MAX_ITEMS) return false;
    items.set(id, { id, text: textIn(task?.['subject']) || textIn(input['subject']), status: 'pending' });
    return true;
  }

  function update(input: JsonObject, result: JsonObject | null): boolean {
    const id = textIn(result?.['taskId']) || textIn(input['taskId']);
    const item = items.get(id);
    if (item === undefined || result?.['success'] === false) return false;
    const status = statusIn(input['status'] ?? item.status);
    if (status === 'dropped') return items.delete(id);
    items.set(id, { id, text: textIn(input['subject']) || item.text, status });
    return true;
  }

  return {
    called(id, tool, input) {
      if ((tool === 'TaskCreate' || tool === 'TaskUpdate') && calls.size < MAX_OPEN_CALLS) calls.set(id, { tool, input });
    },
    answered(id, ok, result) {
      const call = calls.get(id);
      if (call === undefined) return [];
      calls.delete(id);
      const changed = ok && (call.tool === 'TaskCreate' ? create(call.input, result) : update(call.input, result));
      return changed ? [{ type: 'todo', items: [...items.values()] }] : [];
    },
  };
}

/** opencode names one, and so did older lists; claude's and gemini's today do not. */
function priorityIn(value: unknown): Pick<TodoItem, 'priority'> {
  return value === 'low' || value === 'medium' || value === 'high' ? { priority: value } : {};
}

function statusIn(value: unknown): TodoItem['status'] | 'dropped' {
  switch (value) {
    case 'in_progress':
    case 'in-progress':
      return 'in_progress';
    case 'completed':
    case 'done':
      return 'completed';
    case 'cancelled':
    case 'deleted':
      return 'dropped';
    default:
      return 'pending';
  }
}
