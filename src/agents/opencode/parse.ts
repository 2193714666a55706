import type { AgentEvent, Usage } from '../../journal/words/agent-event.ts';
import type { ParserClock, StreamParser } from '../agent-definition.ts';
import { kindOfStatus } from '../error-message.ts';
import { addUsage, countIn, type JsonObject, noUsage, numberIn, objectIn, parseObject, textIn } from '../json.ts';
import { lineParser, notUnderstood } from '../line-parser.ts';
import { todoItemsIn } from '../stream-json/todo-list.ts';

interface Session {
  readonly clock: ParserClock;
  started: boolean;
  lastText: string;
  /** Every step reports its own usage; only the sum is useful. */
  usage: Usage;
}

const badEnds = new Set(['length', 'content-filter', 'error']);

/** The JSON lines of `opencode run --format json`. Sub-agents do not appear, and only the last step's line says that everything is over. */
export function openOpencodeParser(clock: ParserClock): StreamParser {
  const session: Session = { clock, started: false, lastText: '', usage: noUsage };
  return lineParser((text) => {
    const line = parseObject(text);
    const events = line && readLine(line, session);
    return line === null || events === null ? notUnderstood(text) : [...sessionIn(line, session), ...events];
  });
}

function sessionIn(line: JsonObject, session: Session): readonly AgentEvent[] {
  const sessionId = textIn(line['sessionID']);
  if (session.started || sessionId === '') return [];
  session.started = true;
  return [{ type: 'session.started', sessionId }];
}

/** Null for a line of an unknown kind. */
function readLine(line: JsonObject, session: Session): readonly AgentEvent[] | null {
  const part = objectIn(line['part']);
  switch (line['type']) {
    case 'step_start':
      return [];
    case 'text':
      session.lastText = textIn(part?.['text']);
      return [{ type: 'message', text: session.lastText }];
    case 'reasoning':
      return [{ type: 'reasoning', text: textIn(part?.['text']) }];
    case 'tool_use':
      return part && readTool(part);
    case 'step_finish':
      return part && readStepFinish(part, session);
    case 'error':
      return readError(line, session.clock);
    default:
      return null;
  }
}

/** A call appears only once it is over. A failed command is `completed` too; its exit code tells. */
function readTool(part: JsonObject): readonly AgentEvent[] {
  const state = objectIn(part['state']) ?? {};
  const id = textIn(part['callID']);
  const name = textIn(part['tool']);
  const exitCode = numberIn(objectIn(state['metadata'])?.['exit']);
  const ok = state['status'] === 'completed' && (exitCode ?? 0) === 0;
  const output = textIn(state['output']) || textIn(state['error']);
  const todo: readonly AgentEvent[] = name === 'todowrite' && ok ? [{ type: 'todo', items: todoItemsIn(objectIn(state['input'])?.['todos']) }] : [];
  return [
    { type: 'tool.started', id, name, input: state['input'] },
    { type: 'tool.finished', id, ok, output, ...(exitCode !== null && { exitCode }) },
    ...todo,
  ];
}

function readStepFinish(part: JsonObject, session: Session): readonly AgentEvent[] {
  session.usage = addUsage(session.usage, stepUsage(part));
  const usage: AgentEvent = { type: 'usage', ...session.usage };
  const reason = textIn(part['reason']);
  if (reason === 'tool-calls') return [usage];
  return [usage, { type: 'turn.finished', ok: !badEnds.has(reason), text: session.lastText, reason }];
}

function stepUsage(part: JsonObject): Usage {
  const tokens = objectIn(part['tokens']);
  const cache = objectIn(tokens?.['cache']);
  const cost = numberIn(part['cost']);
  return {
    input: countIn(tokens?.['input']),
    cacheRead: countIn(cache?.['read']),
    cacheWrite: countIn(cache?.['write']),
    output: countIn(tokens?.['output']),
    reasoning: countIn(tokens?.['reasoning']),
    ...(cost !== null && cost >= 0 && { costUsd: cost }),
  };
}

/** Its own retries are silent: an error that appears is final. */
function readError(line: JsonObject, clock: ParserClock): readonly AgentEvent[] {
  const error = objectIn(line['error']);
  const data = objectIn(error?.['data']);
  const status = numberIn(data?.['statusCode']);
  const kind = kindOfStatus(status);
  const message = textIn(data?.['message']) || textIn(error?.['name']);
  const waitS = Number.parseFloat(textIn(objectIn(data?.['responseHeaders'])?.['retry-after']));
  const saidAtMs = numberIn(line['timestamp']) ?? clock.nowMs();
  const limit: readonly AgentEvent[] =
    kind === 'limit' && waitS >= 0 ? [{ type: 'rate_limit', status: 'rejected', resetsAtMs: saidAtMs + Math.ceil(waitS * 1000) }] : [];
  return [
    ...limit,
    { type: 'error', kind, message, ...(status !== null && { status }) },
    { type: 'turn.finished', ok: false, text: message, reason: textIn(error?.['name']) || 'error' },
  ];
}
