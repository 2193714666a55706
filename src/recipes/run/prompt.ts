import type { Failure } from '../../journal/effects/effect.ts';
import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { answersText } from '../shared/prompt-text.ts';

export interface PromptRequest {
  /** The operator's text, unchanged. */
  readonly base: string;
  /** What was red in the previous iteration, in the order of the gates. */
  readonly failures: readonly Failure[];
  readonly iteration: number;
  /** 0 means no limit. */
  readonly maximum: number;
  readonly includeCount: boolean;
  /** What people have answered to agents before this one. */
  readonly answers: readonly AnsweredQuestion[];
}

/** Builds the prompt of an agent. Failures are added one after the other: REPLACE drops the earlier ones, and later ones are appended again. */
export function buildPrompt({ base, failures, iteration, maximum, includeCount, answers }: PromptRequest): string {
  const told = answersText(answers, 'task');
  const prompt = [failures.reduce(withFailure, base), ...(told === '' ? [] : [told])].reduce(joined);
  return includeCount ? joined(countHeader(iteration, maximum), prompt) : prompt;
}

function withFailure(prompt: string, { action, message }: Failure): string {
  switch (action) {
    case 'APPEND':
      return joined(prompt, message);
    case 'PREPEND':
      return joined(message, prompt);
    case 'REPLACE':
      return message;
    default:
      return assertNever(action);
  }
}

const countHeader = (iteration: number, maximum: number) =>
  maximum === 0 ? `Iteration ${iteration}.` : `Iteration ${iteration} of ${maximum}, ${maximum - iteration} remaining.`;

const joined = (above: string, below: string) => `${above}\n\n${below}`;
