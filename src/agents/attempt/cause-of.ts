import type { AttemptVerdict, Ending } from '../../journal/events/attempt.ts';
import type { AgentErrorKind } from '../../journal/words/agent-event.ts';
import type { Cause } from '../../journal/words/outcome.ts';

/** The one classification of what agents and providers report, whatever the agent. */
const CAUSES: Readonly<Record<AgentErrorKind, Cause>> = {
  limit: { class: 'waiting', kind: 'limit' },
  overloaded: { class: 'waiting', kind: 'overload' },
  transient: { class: 'passing', kind: 'provider' },
  auth: { class: 'permanent', kind: 'login' },
  forbidden: { class: 'permanent', kind: 'forbidden' },
  billing: { class: 'permanent', kind: 'credit' },
  model: { class: 'permanent', kind: 'not_found' },
  flag: { class: 'permanent', kind: 'flag' },
  fatal: { class: 'permanent', kind: 'gave_up' },
  context: { class: 'passing', kind: 'context' },
  refusal: { class: 'passing', kind: 'refusal' },
  budget: { class: 'passing', kind: 'budget' },
  turns: { class: 'passing', kind: 'turns' },
  other: { class: 'passing', kind: 'crash' },
};

export const isPermanent = (kind: AgentErrorKind) => CAUSES[kind].class === 'permanent';

/** Whether the provider could not answer. Its own retries have failed, so the next attempt comes after a pause. */
export const isProvidersTrouble = (kind: AgentErrorKind) => kind === 'transient' || CAUSES[kind].class === 'waiting';

/** What an attempt reported about its failure. */
interface Reported {
  readonly limit: object | null;
  readonly error: { readonly kind: AgentErrorKind } | null;
}

/** Null for an attempt that ended well. */
export function causeOf(verdict: AttemptVerdict, summary: Reported, ending: Ending): Cause | null {
  switch (verdict) {
    case 'ok':
      return null;
    case 'empty':
      return { class: 'empty', kind: 'empty' };
    case 'lost':
      return { class: 'passing', kind: 'lost' };
    case 'limited':
      return summary.limit === null && summary.error !== null ? CAUSES[summary.error.kind] : CAUSES.limit;
    case 'fatal':
      return ending.kind === 'never-started' ? { class: 'permanent', kind: 'not_found' } : CAUSES[summary.error?.kind ?? 'fatal'];
    case 'failed':
      return failedBecause(summary, ending);
    default:
      return verdict satisfies never;
  }
}

/** What an agent prints while Ralph stops it is a consequence of that. */
function failedBecause({ error }: Reported, ending: Ending): Cause {
  if (ending.kind === 'stopped') return { class: 'passing', kind: 'stopped' };
  return CAUSES[error?.kind ?? 'other'];
}
