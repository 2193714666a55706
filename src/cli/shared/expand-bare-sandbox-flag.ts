import type { Command } from 'commander';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { SANDBOX } from '../../settings/schema/rows/groups.ts';

/** A mode needs `=`. The word after a bare `--sandbox` is never its value: it is a task or another flag. */
export function expandBareSandboxFlag(program: Command, argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const takesNext = flagsWithValue(program);
  refuseModeWithoutSign(argv.slice(0, end), takesNext);
  return argv.map((word, index) => (word === '--sandbox' && index < end && !takesNext.has(argv[index - 1] ?? '') ? '--sandbox=docker' : word));
}

/** `--sandbox os` would run docker on a task called "os". */
function refuseModeWithoutSign(words: readonly string[], takesNext: ReadonlySet<string>): void {
  const at = words.findIndex((word, index) => word === '--sandbox' && !takesNext.has(words[index - 1] ?? ''));
  const mode = SANDBOX.mode.kind.find((each) => at >= 0 && each === words[at + 1]);
  if (mode === undefined) return;
  throw new OperatorError('usage', `--sandbox needs "=" before its mode, not a space`, { hint: `Write --sandbox=${mode}`, exitCode: 2 });
}

/** In `--agent-flags --sandbox`, the word `--sandbox` is a value: a flag for the agent. */
function flagsWithValue(command: Command): ReadonlySet<string> {
  const own = command.options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  return new Set([...own, ...command.commands.flatMap((each) => [...flagsWithValue(each)])]);
}
