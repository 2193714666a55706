import type { AgentErrorKind } from '../journal/words/agent-event.ts';

/** What an HTTP status of a model's API means for the loop. */
export function kindOfStatus(status: number | null): AgentErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 404) return 'model';
  if (status === 429) return 'limit';
  return status === 408 || (status !== null && status >= 500) ? 'transient' : 'other';
}
