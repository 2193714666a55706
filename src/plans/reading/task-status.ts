import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import type { TaskStatus } from '../../journal/words/plan.ts';

const STATUSES: ReadonlyMap<string, TaskStatus> = new Map([
  ['pending', 'pending'],
  ['planned', 'pending'],
  ['ready', 'ready'],
  ['in-progress', 'in-progress'],
  ['complete', 'complete'],
  ['blocked', 'blocked'],
]);

/** Null: no word of ours. `planned` is what the front matter of seed 000 says for pending. */
export function statusOf(word: string): TaskStatus | null {
  return STATUSES.get(word) ?? null;
}

export function whyNoStatus(word: string): string {
  const words = [...STATUSES.keys()];
  const meant = didYouMean(word, words);
  return `unknown status "${word.slice(0, 40)}": ${meant === null ? `it is one of ${words.join(', ')}` : `did you mean ${meant}?`}`;
}
