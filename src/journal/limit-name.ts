/** What an attempt that failed for now, without a usage limit, is said to be limited by. */
export const OVERLOADED = 'overloaded';

/** What we wait for, as it begins a sentence. */
export function limitName(window: string | null): string {
  if (window === OVERLOADED) return 'The provider cannot answer';
  return window === null ? 'Usage limit' : `Usage limit (${window})`;
}
