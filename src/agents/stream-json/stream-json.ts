import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { ParserClock, StreamParser } from '../agent-definition.ts';
import { countIn, type JsonObject, numberIn, objectIn, parseObject, textIn } from '../json.ts';
import { notUnderstood } from '../line-parser.ts';
import { openBackgroundTasks, saysTaskWasStopped } from './background-tasks.ts';
import { type Conversation, kindOfError, newTurn } from './stream-json-conversation.ts';
import { readAssistant, readUser } from './stream-json-messages.ts';
import { readResult } from './stream-json-result.ts';
import { openStreamUsage } from './stream-json-usage.ts';
import { openTaskList } from './todo-list.ts';

/**
 * The `stream-json` format of Claude Code, which amp and wrappers use too. One run may contain several `init` and `result` lines, because a background task
 * that ends wakes the model again. So the run has finished with the last `result` after which nothing came.
 */
export function openStreamJsonParser(clock: ParserClock): StreamParser {
  const conversation: Conversation = {
    clock,
    taskList: openTaskList(),
    tasks: openBackgroundTasks(),
    usage: openStreamUsage(),
    turn: newTurn(),
    sessionStarted: false,
  };
  let isFinished = false;
  return {
    line(text) {
      if (text === '') return [];
      const line = parseObject(text);
      isFinished = line !== null && (line['type'] === 'result' || (isFinished && saysTaskWasStopped(line)));
      return (line && readLine(line, conversation)) ?? notUnderstood(text);
    },
    end() {
      const usage = conversation.usage.atTheEnd();
      return usage === null ? [] : [{ type: 'usage', ...usage }];
    },
    settled: () => isFinished && conversation.tasks.running() === 0,
  };
}

/** Null for a line of an unknown kind. */
function readLine(line: JsonObject, conversation: Conversation): readonly AgentEvent[] | null {
  switch (line['type']) {
    case 'assistant':
      return readAssistant(line, conversation);
    case 'user':
      return readUser(line, conversation);
    case 'result':
      return readResult(line, conversation);
    case 'system':
      return readSystem(line, conversation);
    case 'rate_limit_event':
      return readRateLimit(line, conversation);
    case 'stream_event':
    case 'tool_progress':
    case 'tool_use_summary':
      return [];
    default:
      return null;
  }
}

/** The only structured place for a reset time, in epoch seconds. A rejected window with paid overage still lets work through. */
function readRateLimit(line: JsonObject, { turn }: Conversation): readonly AgentEvent[] | null {
  const info = objectIn(line['rate_limit_info']);
  if (info === null) return null;
  const rejected = info['status'] === 'rejected' && info['isUsingOverage'] !== true;
  if (rejected) turn.rejected = true;
  const resetsAt = numberIn(info['resetsAt']);
  const window = textIn(info['rateLimitType']);
  const utilization = numberIn(info['utilization']);
  return [
    {
      type: 'rate_limit',
      status: rejected ? 'rejected' : info['status'] === 'allowed' ? 'allowed' : 'warning',
      ...(resetsAt !== null && { resetsAtMs: resetsAt * 1000 }),
      ...(window !== '' && { window }),
      ...(utilization !== null && { utilization }),
    },
  ];
}

/** Null for an unknown subtype. */
function readSystem(line: JsonObject, conversation: Conversation): readonly AgentEvent[] | null {
  switch (line['subtype']) {
    case 'init':
      return readInit(line, conversation);
    case 'api_retry':
      return [readRetry(line)];
    case 'task_started':
    case 'task_progress':
    case 'task_updated':
    case 'task_notification':
      return conversation.tasks.taskEvent(line);
    case 'informational':
      if (line['prevent_continuation'] === true) conversation.turn.prevented = true;
      return noteOf(line['content']);
    case 'model_fallback':
      return noteOf(line['content']);
    case 'notification':
      return noteOf(line['text']);
    case 'status':
    case 'thinking_tokens':
    case 'hook_started':
    case 'hook_progress':
    case 'hook_response':
    case 'compact_boundary':
    case 'permission_denied':
    case 'session_state_changed':
    case 'model_refusal_no_fallback':
      return [];
    default:
      return null;
  }
}

/** Every turn of a run opens with an init; the session starts once. */
function readInit(line: JsonObject, conversation: Conversation): readonly AgentEvent[] {
  if (conversation.sessionStarted) return [];
  conversation.sessionStarted = true;
  const model = textIn(line['model']);
  return [{ type: 'session.started', sessionId: textIn(line['session_id']), ...(model !== '' && { model }) }];
}

function readRetry(line: JsonObject): AgentEvent {
  const status = numberIn(line['error_status']);
  const delayMs = numberIn(line['retry_delay_ms']);
  const max = countIn(line['max_retries']);
  return {
    type: 'retry',
    attempt: countIn(line['attempt']),
    // Without a status there was no answer at all: the network failed, not the account.
    kind: status === null ? 'transient' : kindOfError(textIn(line['error']), status),
    ...(max > 0 && { max }),
    ...(delayMs !== null && { delayMs: Math.round(delayMs) }),
    ...(status !== null && { status }),
  };
}

function noteOf(value: unknown): readonly AgentEvent[] {
  const text = textIn(value);
  return text === '' ? [] : [{ type: 'note', text }];
}
