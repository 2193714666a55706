import { isAbsolute } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';

/** Each once. A pattern begins at the top of the repository; one that leads out of it would be refused by git only after an agent was paid. */
export function protectedPatterns(key: 'protect' | 'loop.protect', patterns: readonly string[]): string[] {
  const outside = patterns.find((pattern) => isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..'));
  if (outside === undefined) return [...new Set(patterns)];
  throw new OperatorError('usage', `${key}: ${JSON.stringify(outside)} leads out of the repository`, {
    hint: 'Name paths from the top of the repository, such as "tests/**" or "package.json".',
    exitCode: 2,
  });
}
