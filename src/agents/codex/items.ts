import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { type JsonObject, listIn, numberIn, objectIn, textIn } from '../json.ts';

/** A codex item that becomes a tool call in our events: its name, input and result. */
interface Tool {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: string;
}

/** Null for an item that is not a tool. */
export function toolIn(item: JsonObject): Tool | null {
  switch (item['type']) {
    case 'command_execution':
      return { name: 'Bash', input: { command: textIn(item['command']) }, output: textIn(item['aggregated_output']) };
    case 'file_change':
      return { name: 'Edit', input: { changes: item['changes'] }, output: '' };
    case 'mcp_tool_call':
      return { name: `${textIn(item['server'])}.${textIn(item['tool'])}`, input: objectIn(item['arguments']) ?? {}, output: mcpOutput(item) };
    case 'web_search':
      return { name: 'WebSearch', input: { query: textIn(item['query']) }, output: '' };
    case 'collab_tool_call':
      return { name: textIn(item['tool']), input: { prompt: textIn(item['prompt']) }, output: '' };
    default:
      return null;
  }
}

export function toolFinished(id: string, item: JsonObject, output: string): AgentEvent {
  const exitCode = numberIn(item['exit_code']);
  const ok = item['status'] !== 'failed' && item['status'] !== 'declined' && (exitCode ?? 0) === 0;
  return { type: 'tool.finished', id, ok, output, ...(exitCode !== null && { exitCode }) };
}

export function changedFiles(item: JsonObject): readonly AgentEvent[] {
  if (item['type'] !== 'file_change' || item['status'] !== 'completed') return [];
  return listIn(item['changes']).map((entry): AgentEvent => {
    const change = objectIn(entry);
    const kind = change?.['kind'];
    return { type: 'file.changed', path: textIn(change?.['path']), kind: kind === 'add' || kind === 'delete' ? kind : 'update' };
  });
}

/** Sub-agents are threads: one call may open several, and any call may report that others have ended. */
export function subagentsIn(item: JsonObject): readonly AgentEvent[] {
  if (item['type'] !== 'collab_tool_call') return [];
  const description = textIn(item['prompt']);
  const opened = item['tool'] === 'spawn_agent' ? listIn(item['receiver_thread_ids']).map(textIn) : [];
  const closed = item['tool'] === 'spawn_agent' ? [] : Object.entries(objectIn(item['agents_states']) ?? {}).filter(([, state]) => isOver(state));
  return [
    ...opened.map((id): AgentEvent => ({ type: 'subagent.started', id, kind: 'agent', ...(description !== '' && { description }) })),
    ...closed.map(([id]): AgentEvent => ({ type: 'subagent.finished', id })),
  ];
}

export function todoIn(item: JsonObject): AgentEvent {
  const items = listIn(item['items']).map((entry, index) => {
    const todo = objectIn(entry);
    return { id: String(index + 1), text: textIn(todo?.['text']), status: todo?.['completed'] === true ? ('completed' as const) : ('pending' as const) };
  });
  return { type: 'todo', items };
}

function isOver(state: unknown): boolean {
  const status = objectIn(state)?.['status'];
  return status === 'completed' || status === 'errored' || status === 'shutdown' || status === 'not_found';
}

function mcpOutput(item: JsonObject): string {
  const texts = listIn(objectIn(item['result'])?.['content']).map((part) => textIn(objectIn(part)?.['text']));
  return textIn(objectIn(item['error'])?.['message']) || texts.join('\n');
}
