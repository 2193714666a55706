import { OperatorError } from '../../kit/pure/operator-error.ts';

/** The options of `ralph init` as commander hands them over. */
export interface InitFlags {
  readonly yes?: boolean;
  readonly just?: boolean;
  readonly agent?: string;
  readonly flag?: readonly string[];
  readonly guardrail?: readonly string[];
  readonly maximumIterations?: string;
  readonly completionResponse?: string;
  readonly scm?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Who is asked answers; flags beside that would be dropped without a word. */
export function refuseFlagsBesideQuestions(flags: InitFlags): void {
  const [first] = Object.keys(flags);
  if (first === undefined) return;
  const flag = `--${first.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new OperatorError('usage', `${flag} needs --yes`, { hint: 'With --yes nothing is asked; without it leave the flag out.', exitCode: 2 });
}
