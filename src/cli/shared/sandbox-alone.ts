import type { Command } from 'commander';

/** A mode is said only with `=`: what follows a bare `--sandbox` is never taken for one, be it a task or a flag. */
export function sandboxAlone(program: Command, argv: readonly string[]): readonly string[] {
  if (!argv.includes('--sandbox')) return argv;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const takesNext = flagsWithValue(program);
  return argv.map((word, index) => (word === '--sandbox' && index < end && !takesNext.has(argv[index - 1] ?? '') ? '--sandbox=docker' : word));
}

/** `--agent-flags --sandbox` gives somebody else's flag to an agent. */
function flagsWithValue(command: Command): ReadonlySet<string> {
  const own = command.options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  return new Set([...own, ...command.commands.flatMap((each) => [...flagsWithValue(each)])]);
}
