import type { AgentErrorKind, AgentEvent } from '../../journal/words/agent-event.ts';
import { type JsonObject, listIn, numberIn, textIn } from '../json.ts';
import { type Conversation, kindOfError, newTurn, reportFailure } from './stream-json-conversation.ts';

/** The end of a turn. `subtype: "success"` also comes with every API failure: `is_error` is what counts. */
export function readResult(line: JsonObject, conversation: Conversation): readonly AgentEvent[] {
  const { turn } = conversation;
  const subtype = textIn(line['subtype']);
  const ok = line['is_error'] !== true && !subtype.startsWith('error') && !turn.prevented;
  const usage = conversation.usage.hearResult(line);
  const events: AgentEvent[] = usage === null ? [] : [{ type: 'usage', ...usage }];
  const text = textIn(line['result']) || wordsOf(line);
  if (ok) {
    events.push({ type: 'turn.finished', ok, text, reason: textIn(line['terminal_reason']) || 'completed' });
  } else {
    const status = numberIn(line['api_error_status']);
    if (!isInterrupted(line, text)) events.push(...reportFailure(conversation, { kind: kindOf(line, turn.errorName, status), message: text, status }));
    events.push({ type: 'turn.finished', ok, text, reason: reasonOf(line, turn) });
  }
  conversation.turn = newTurn();
  return events;
}

function kindOf(line: JsonObject, errorName: string, status: number | null): AgentErrorKind {
  if (line['subtype'] === 'error_max_turns') return 'turns';
  if (line['subtype'] === 'error_max_budget_usd') return 'budget';
  if (line['terminal_reason'] === 'prompt_too_long') return 'context';
  if (line['stop_reason'] === 'refusal') return 'refusal';
  return kindOfError(errorName, status);
}

/** The most telling name of a failed turn: neither `success` nor `completed` is one. */
function reasonOf(line: JsonObject, turn: Conversation['turn']): string {
  if (turn.prevented) return 'prevented';
  const subtype = textIn(line['subtype']);
  if (subtype.startsWith('error')) return subtype;
  if (line['stop_reason'] === 'refusal') return 'refusal';
  const terminal = textIn(line['terminal_reason']);
  return terminal !== '' && terminal !== 'completed' ? terminal : turn.errorName || 'error';
}

/** Somebody ended the turn from outside; the agent itself does not know why. */
function isInterrupted(line: JsonObject, text: string): boolean {
  return text === '' && textIn(line['terminal_reason']).startsWith('aborted_');
}

/** Without claude's notes for its own developers. */
function wordsOf(line: JsonObject): string {
  const errors = listIn(line['errors'])
    .map(textIn)
    .filter((error) => error !== '' && !error.startsWith('[ede_diagnostic]'));
  return errors.length > 0 ? errors.join('; ') : textIn(line['error']);
}
