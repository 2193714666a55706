import type { AgentErrorKind, AgentEvent } from '../../journal/words/agent-event.ts';
import type { StreamParser } from '../agent-definition.ts';
import { countIn, type JsonObject, numberIn, objectIn, parseObject, textIn } from '../json.ts';
import { lineParser, notUnderstood } from '../line-parser.ts';
import { todoItemsIn } from '../stream-json/todo-list.ts';

interface Answer {
  /** The pieces of the message being written. */
  pieces: string[];
  length: number;
  lastText: string;
}

/** A longer message is passed on in parts, so that no stream of pieces can fill the memory. */
const MESSAGE_CHARS = 1_000_000;
/** The CLI puts its message in brackets. */
const apiErrors: readonly (readonly [RegExp, AgentErrorKind])[] = [
  [/^\[API Error: (?:You have exhausted your |[^\n]{0,200}RESOURCE_EXHAUSTED)/, 'limit'],
  // The names that the API gives its errors.
  [/^\[API Error: [^\n]{0,200}(?:UNAUTHENTICATED|API key not valid)/, 'auth'],
  [/^\[API Error: [^\n]{0,200}PERMISSION_DENIED/, 'forbidden'],
  [/^\[API Error: [^\n]{0,200}NOT_FOUND/, 'model'],
  [/^\[API Error: [^\n]{0,200}UNAVAILABLE/, 'overloaded'],
];

/** The JSON lines of `gemini --output-format stream-json`. A message comes in pieces and is reported once it is complete. */
export function openGeminiParser(): StreamParser {
  const answer: Answer = { pieces: [], length: 0, lastText: '' };
  return lineParser(
    (text) => {
      const line = parseObject(text);
      return (line && readLine(line, answer)) ?? notUnderstood(text);
    },
    () => wholeMessage(answer),
  );
}

/** Null for a line of an unknown kind. */
function readLine(line: JsonObject, answer: Answer): readonly AgentEvent[] | null {
  switch (line['type']) {
    case 'init': {
      const model = textIn(line['model']);
      return [{ type: 'session.started', sessionId: textIn(line['session_id']), ...(model !== '' && { model }) }];
    }
    case 'message':
      return line['role'] === 'assistant' ? readMessage(line, answer) : [];
    case 'tool_use':
      return [...wholeMessage(answer), ...readToolUse(line)];
    case 'tool_result':
      return [...wholeMessage(answer), readToolResult(line)];
    case 'result':
      return [...wholeMessage(answer), ...readResult(line, answer)];
    default:
      return null;
  }
}

function readMessage(line: JsonObject, answer: Answer): readonly AgentEvent[] {
  const text = textIn(line['content']);
  const before = line['delta'] === true ? [] : wholeMessage(answer);
  answer.pieces.push(text);
  answer.length += text.length;
  const isWhole = line['delta'] !== true || answer.length > MESSAGE_CHARS;
  return isWhole ? [...before, ...wholeMessage(answer)] : before;
}

function wholeMessage(answer: Answer): readonly AgentEvent[] {
  const text = answer.pieces.join('');
  answer.pieces = [];
  answer.length = 0;
  if (text === '') return [];
  answer.lastText = text;
  return [{ type: 'message', text }];
}

function readToolUse(line: JsonObject): readonly AgentEvent[] {
  const name = textIn(line['tool_name']);
  const todo: readonly AgentEvent[] = name === 'write_todos' ? [{ type: 'todo', items: todoItemsIn(objectIn(line['parameters'])?.['todos']) }] : [];
  return [{ type: 'tool.started', id: textIn(line['tool_id']), name, input: line['parameters'] }, ...todo];
}

/** A command that exits 3 is a success to gemini, and the code is not in the stream. */
function readToolResult(line: JsonObject): AgentEvent {
  const output = textIn(line['output']) || textIn(objectIn(line['error'])?.['message']);
  return { type: 'tool.finished', id: textIn(line['tool_id']), ok: line['status'] === 'success', output };
}

function readResult(line: JsonObject, answer: Answer): readonly AgentEvent[] {
  const usage = usageIn(objectIn(line['stats']));
  if (line['status'] === 'success') return [...usage, { type: 'turn.finished', ok: true, text: answer.lastText, reason: 'success' }];
  const message = textIn(objectIn(line['error'])?.['message']);
  const kind = apiErrors.find(([words]) => words.test(message))?.[1] ?? 'other';
  return [...usage, { type: 'error', kind, message }, { type: 'turn.finished', ok: false, text: message, reason: 'error' }];
}

/** `input` excludes cached tokens; older versions have only the total. */
function usageIn(stats: JsonObject | null): readonly AgentEvent[] {
  if (stats === null) return [];
  const cacheRead = countIn(stats['cached']);
  const fresh = numberIn(stats['input']) === null ? Math.max(0, countIn(stats['input_tokens']) - cacheRead) : countIn(stats['input']);
  return [{ type: 'usage', input: fresh, cacheRead, cacheWrite: 0, output: countIn(stats['output_tokens']) }];
}
