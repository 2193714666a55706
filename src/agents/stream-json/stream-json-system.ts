import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { countIn, type JsonObject, numberIn, textIn } from '../json.ts';
import { type Conversation, kindOfError } from './stream-json-conversation.ts';

/** Null for a subtype we do not know. */
export function readSystem(line: JsonObject, conversation: Conversation): readonly AgentEvent[] | null {
  switch (line['subtype']) {
    case 'init':
      return readInit(line, conversation);
    case 'api_retry':
      return [readRetry(line)];
    case 'task_started':
    case 'task_progress':
    case 'task_updated':
    case 'task_notification':
      return conversation.tasks.told(line);
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
    // Without a status nobody answered at all: the network, not the account.
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
