import type { AgentErrorKind, AgentEvent } from '../../journal/words/agent-event.ts';
import type { ParserClock } from '../agent-definition.ts';
import { kindOfStatus } from '../error-message.ts';
import { limitInText } from '../limit-text.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { StreamUsage } from './stream-json-usage.ts';
import type { TaskList } from './todo-list.ts';

/** What later lines of a stream-json run need to know about earlier ones. */
export interface Conversation {
  readonly clock: ParserClock;
  readonly taskList: TaskList;
  readonly tasks: BackgroundTasks;
  readonly usage: StreamUsage;
  turn: Turn;
  sessionStarted: boolean;
}

/** What the open turn has already reported about its failure, so that nothing is reported twice. */
interface Turn {
  errorName: string;
  kind: AgentErrorKind | null;
  /** A limit was announced, with its reset time if there is one. */
  rejected: boolean;
  /** A hook kept the prompt from the model; the result will still say success. */
  prevented: boolean;
}

export const newTurn = (): Turn => ({ errorName: '', kind: null, rejected: false, prevented: false });

interface Failure {
  readonly kind: AgentErrorKind;
  readonly message: string;
  readonly status: number | null;
}

const kinds: ReadonlyMap<string, AgentErrorKind> = new Map([
  ['authentication_failed', 'auth'],
  ['oauth_org_not_allowed', 'forbidden'],
  ['billing_error', 'billing'],
  ['rate_limit', 'limit'],
  ['overloaded', 'overloaded'],
  ['server_error', 'transient'],
  ['model_not_found', 'model'],
]);

/** The name is more precise than the status: 400 with `billing_error` is about money. */
export function kindOfError(name: string, status: number | null): AgentErrorKind {
  return status === 403 ? 'forbidden' : (kinds.get(name) ?? kindOfStatus(status));
}

/** Repeated 529s are called a server error, without their status. */
const overloaded = /^(?:API Error: )?(?:Repeated )?529 Overloaded\b/;

/** What is new about a failure of this turn. */
export function reportFailure({ turn, clock }: Conversation, { kind, message, status }: Failure): readonly AgentEvent[] {
  const limit = limitInText(message, clock);
  const events: AgentEvent[] = [];
  if (limit !== null && !turn.rejected) {
    turn.rejected = true;
    const { resetsAtMs, window } = limit;
    events.push({ type: 'rate_limit', status: 'rejected', ...(resetsAtMs !== null && { resetsAtMs }), ...(window !== null && { window }) });
  }
  const isOverloaded = kind === 'transient' && overloaded.test(message);
  const known = limit === null ? (isOverloaded ? 'overloaded' : kind) : 'limit';
  if (turn.kind !== known) {
    turn.kind = known;
    events.push({ type: 'error', kind: known, message, ...(status !== null && { status }) });
  }
  return events;
}
