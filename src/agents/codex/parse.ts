import type { AgentErrorKind, AgentEvent } from '../../journal/words/agent-event.ts';
import type { ParserClock, StreamParser } from '../agent-definition.ts';
import { kindOfStatus } from '../error-message.ts';
import { countIn, type JsonObject, objectIn, parseObject, textIn } from '../json.ts';
import { lineParser, notUnderstood } from '../line-parser.ts';
import { resetTimeIn } from '../reset-time.ts';
import { changedFiles, subagentsIn, todoIn, toolFinished, toolIn } from './items.ts';

interface Thread {
  readonly clock: ParserClock;
  /** Ids of calls that were reported as started. */
  readonly started: Set<string>;
  lastMessage: string;
  /** The last reported failure: `error` and `turn.failed` contain the same one. */
  failure: string;
  reconnects: number;
}

const MAX_STARTED = 10_000;
const reconnecting = /^Reconnecting\.\.\. (?:(\d+)\/(\d+) )?(?:waiting for network )?(?:\((.*)\))?/s;

/** The JSON lines of `codex exec --json`. */
export function openCodexParser(clock: ParserClock): StreamParser {
  const thread: Thread = { clock, started: new Set(), lastMessage: '', failure: '', reconnects: 0 };
  return lineParser((text) => {
    const line = parseObject(text);
    return (line && readLine(line, thread)) ?? notUnderstood(text);
  });
}

/** Null for a line of an unknown kind. */
function readLine(line: JsonObject, thread: Thread): readonly AgentEvent[] | null {
  switch (line['type']) {
    case 'thread.started':
      return [{ type: 'session.started', sessionId: textIn(line['thread_id']) }];
    case 'turn.started':
      return [];
    case 'turn.completed':
      return [...usageIn(line), { type: 'turn.finished', ok: true, text: thread.lastMessage, reason: 'completed' }];
    case 'turn.failed':
      return readTurnFailed(textIn(objectIn(line['error'])?.['message']), thread);
    case 'error':
      return readError(textIn(line['message']), thread);
    case 'item.started':
    case 'item.updated':
    case 'item.completed': {
      const item = objectIn(line['item']);
      return item && readItem(item, line['type'], thread);
    }
    default:
      return null;
  }
}

function readItem(item: JsonObject, stage: string, thread: Thread): readonly AgentEvent[] | null {
  const done = stage === 'item.completed';
  switch (item['type']) {
    case 'agent_message':
      if (done) thread.lastMessage = textIn(item['text']);
      return done ? [{ type: 'message', text: thread.lastMessage }] : [];
    case 'reasoning':
      return done ? [{ type: 'reasoning', text: textIn(item['text']) }] : [];
    case 'todo_list':
      return [todoIn(item)];
    case 'error':
      return done ? [{ type: 'note', text: textIn(item['message']) }] : [];
    default:
      return readTool(item, stage, thread);
  }
}

/** Some calls appear only once they are over; they still start before they finish. */
function readTool(item: JsonObject, stage: string, { started }: Thread): readonly AgentEvent[] | null {
  const tool = toolIn(item);
  if (tool === null) return null;
  if (stage === 'item.updated') return [];
  const id = textIn(item['id']);
  const events: AgentEvent[] = [];
  if (!started.has(id)) events.push({ type: 'tool.started', id, name: tool.name, input: tool.input });
  if (stage === 'item.started') {
    if (started.size < MAX_STARTED) started.add(id);
    return events;
  }
  started.delete(id);
  return [...events, toolFinished(id, item, tool.output), ...changedFiles(item), ...subagentsIn(item)];
}

/** An error that says it reconnects is not final. */
function readError(message: string, thread: Thread): readonly AgentEvent[] {
  const found = reconnecting.exec(message);
  if (found === null) return tell(message, thread);
  const [, attempt, max, reason] = found;
  thread.reconnects += 1;
  const { kind, status } = failureIn(reason ?? '', thread.clock);
  return [
    {
      type: 'retry',
      attempt: attempt === undefined ? thread.reconnects : Number(attempt),
      // A reason without a name is a broken connection.
      kind: kind === 'other' ? 'transient' : kind,
      ...(max !== undefined && { max: Number(max) }),
      ...(status !== null && { status }),
    },
  ];
}

function readTurnFailed(message: string, thread: Thread): readonly AgentEvent[] {
  const { kind, message: text } = failureIn(message, thread.clock);
  return [...tell(message, thread), { type: 'turn.finished', ok: false, text, reason: kind }];
}

function tell(text: string, thread: Thread): readonly AgentEvent[] {
  if (thread.failure === text) return [];
  thread.failure = text;
  const { kind, message, status, resetsAtMs } = failureIn(text, thread.clock);
  const error: AgentEvent = { type: 'error', kind, message, ...(status !== null && { status }) };
  return resetsAtMs === null ? [error] : [{ type: 'rate_limit', status: 'rejected', resetsAtMs }, error];
}

/** Codex counts cached tokens as input, and gives the total of the thread, which begins with its process. */
function usageIn(line: JsonObject): readonly AgentEvent[] {
  const usage = objectIn(line['usage']);
  if (usage === null) return [];
  const cacheRead = countIn(usage['cached_input_tokens']);
  const cacheWrite = countIn(usage['cache_write_input_tokens']);
  return [
    {
      type: 'usage',
      input: Math.max(0, countIn(usage['input_tokens']) - cacheRead - cacheWrite),
      cacheRead,
      cacheWrite,
      output: countIn(usage['output_tokens']),
      reasoning: countIn(usage['reasoning_output_tokens']),
    },
  ];
}

export interface CodexFailure {
  readonly kind: AgentErrorKind;
  readonly message: string;
  readonly status: number | null;
  /** The end of a usage limit, where the message names it. */
  readonly resetsAtMs: number | null;
}

/** No message of codex itself is longer. What a gateway sends instead is not searched to its end. */
const MESSAGE_CHARS = 4000;

/** 0.166 writes a typographic apostrophe, earlier builds a plain one. */
const usageLimit = /^You['’]ve hit your usage limit/;
const tryAgainAt = /try again at ([^.]{1,60})\.?\s*$/i;
const httpStatus = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;

const beginnings: readonly (readonly [RegExp, AgentErrorKind])[] = [
  [/^Quota exceeded/, 'billing'],
  [/^Your workspace is out of credits/, 'billing'],
  [/^You(?:['’]ve)? hit your spend cap/, 'billing'],
  [/^rate limit exceeded/, 'limit'],
  [/^Selected model is at capacity/, 'overloaded'],
  [/^We['’]re currently experiencing high demand/, 'transient'],
  [/^stream disconnected before completion/, 'transient'],
  [/^Connection failed/, 'transient'],
  [/^Codex ran out of room/, 'context'],
];

const codes: ReadonlyMap<string, AgentErrorKind> = new Map([
  ['context_length_exceeded', 'context'],
  ['insufficient_quota', 'billing'],
  ['invalid_api_key', 'auth'],
  ['model_not_found', 'model'],
]);

/** Classifies the message of an `error` or `turn.failed` line. The reset time is in the local zone of the process. */
function failureIn(text: string, clock: ParserClock): CodexFailure {
  const provider = objectIn(parseObject(text)?.['error']);
  const message = (textIn(provider?.['message']) || text).slice(0, MESSAGE_CHARS);
  if (usageLimit.test(message)) {
    const reset = tryAgainAt.exec(message)?.[1];
    return { kind: 'limit', message, status: null, resetsAtMs: reset === undefined ? null : resetTimeIn(reset, clock) };
  }
  const found = httpStatus.exec(message)?.[1];
  const status = found === undefined ? null : Number(found);
  const kind = codes.get(textIn(provider?.['code'])) ?? beginnings.find(([pattern]) => pattern.test(message))?.[1] ?? kindOfStatus(status);
  return { kind, message, status, resetsAtMs: null };
}
