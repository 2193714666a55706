import { QUESTION_WORDS, type Question } from '../../journal/words/claim.ts';
import { plural } from '../../kit/pure/amounts.ts';
import type { Need } from '../needs/needs.ts';
import { idText, shorten } from './look.ts';

export const TEXT_CHARS = 300;

/** `US-001 is blocked: no key`; `The agent needs a decision: REST or RPC?` */
export function questionText({ task, kind, text }: Pick<Question, 'kind' | 'text'> & { readonly task: string | null }): string {
  return `${task === null ? 'The agent' : idText(task)} ${QUESTION_WORDS[kind]}: ${shorten(text.trim(), TEXT_CHARS)}`;
}

/** `2 questions, 1 failed`. */
export function needsText(needs: readonly Pick<Need, 'kind'>[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of needs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => (kind === 'question' ? plural(count, kind) : `${count} ${kind}`)).join(', ');
}
