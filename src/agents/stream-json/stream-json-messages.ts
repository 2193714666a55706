import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { type JsonObject, listIn, objectIn, textIn } from '../json.ts';
import { type Conversation, kindOfError, reportFailure } from './stream-json-conversation.ts';
import { todoItemsIn } from './todo-list.ts';

/** There is one block per line today, but that is not guaranteed. Null for a line without a message. */
export function readAssistant(line: JsonObject, conversation: Conversation): readonly AgentEvent[] | null {
  const message = objectIn(line['message']);
  if (message === null) return null;
  if (typeof line['error'] === 'string') return readFailure(line, message, conversation);
  conversation.usage.hearMessage(message);
  const subagent = textIn(line['parent_tool_use_id']);
  const events: AgentEvent[] = [];
  for (const entry of blocksOf(message)) {
    const block = objectIn(entry);
    if (block !== null) readBlock(block, subagent, conversation, events);
  }
  return events;
}

/** Tool results, and what the CLI itself adds to the conversation. Null for a line without a message. */
export function readUser(line: JsonObject, conversation: Conversation): readonly AgentEvent[] | null {
  const message = objectIn(line['message']);
  if (message === null) return null;
  const events: AgentEvent[] = [];
  for (const entry of blocksOf(message)) {
    const block = objectIn(entry);
    if (block === null) continue;
    if (block['type'] === 'tool_result') readToolResult(block, objectIn(line['tool_use_result']), conversation, events);
    else if (line['isSynthetic'] === true && block['type'] === 'text') events.push({ type: 'note', text: textIn(block['text']) });
  }
  return events;
}

/** An API failure in the CLI's own words, in the form of a model's message. A sub-agent's failure is handled by its caller. */
function readFailure(line: JsonObject, message: JsonObject, conversation: Conversation): readonly AgentEvent[] {
  const name = textIn(line['error']);
  const text = joinTexts(blocksOf(message));
  if (textIn(line['parent_tool_use_id']) !== '') return [{ type: 'note', text }];
  conversation.turn.errorName = name;
  const kind = message['stop_reason'] === 'refusal' ? 'refusal' : kindOfError(name, null);
  return reportFailure(conversation, { kind, message: text, status: null });
}

function readBlock(block: JsonObject, subagent: string, conversation: Conversation, events: AgentEvent[]): void {
  const from = subagent === '' ? {} : { subagent };
  switch (block['type']) {
    case 'text': {
      const text = textIn(block['text']);
      if (text !== '') events.push({ type: 'message', text, ...from });
      return;
    }
    case 'thinking':
      events.push({ type: 'reasoning', text: textIn(block['thinking']) });
      return;
    case 'tool_use': {
      const id = textIn(block['id']);
      const name = textIn(block['name']);
      events.push({ type: 'tool.started', id, name, input: block['input'], ...from });
      events.push(...sideEffectsOf(id, name, objectIn(block['input']) ?? {}, conversation));
      return;
    }
    default:
      return;
  }
}

function sideEffectsOf(id: string, name: string, input: JsonObject, { taskList, tasks }: Conversation): readonly AgentEvent[] {
  switch (name) {
    case 'TodoWrite':
    case 'todo_write':
      return [{ type: 'todo', items: todoItemsIn(input['todos']) }];
    case 'TaskCreate':
    case 'TaskUpdate':
      taskList.called(id, name, input);
      return [];
    case 'Agent':
    case 'Task':
      return tasks.called(id, input);
    default:
      return [];
  }
}

function readToolResult(block: JsonObject, result: JsonObject | null, { taskList, tasks }: Conversation, events: AgentEvent[]): void {
  const id = textIn(block['tool_use_id']);
  const ok = block['is_error'] !== true;
  const output = typeof block['content'] === 'string' ? block['content'] : joinTexts(listIn(block['content']));
  const exitCode = ok ? undefined : /^Exit code (\d{1,3})\b/.exec(output)?.[1];
  events.push({ type: 'tool.finished', id, ok, output, ...(exitCode !== undefined && { exitCode: Number(exitCode) }) });
  events.push(...taskList.answered(id, ok, result), ...tasks.answered(id));
}

/** The content may be one plain string instead of blocks. */
function blocksOf(message: JsonObject): readonly unknown[] {
  const content = message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content);
}

function joinTexts(blocks: readonly unknown[]): string {
  const texts = blocks.map((block) => textIn(objectIn(block)?.['text'])).filter((text) => text !== '');
  return texts.join('\n');
}
