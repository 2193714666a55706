import type { CompleteLoop } from './schema/loop-settings.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';

interface Wishes {
  readonly witnesses: readonly string[];
  /** Whether it is to run without any check. */
  readonly noChecks: boolean;
}

/** The commands that decide. A witness is a check like any other, after the others; one that is both runs once. */
export function loopChecks({ checks }: Pick<CompleteLoop, 'checks'>, { witnesses, noChecks }: Wishes): readonly string[] {
  const commands = [...new Set([...(noChecks ? [] : checks), ...witnesses])];
  if (commands.length > 0 || noChecks) return commands;
  throw new OperatorError('check-missing', 'a loop needs a check that tells whether the work is done', {
    hint: 'Say one with --check "npm test", or in loop.checks of .ralph/settings.json; --no-checks goes on without.',
    exitCode: 2,
  });
}
