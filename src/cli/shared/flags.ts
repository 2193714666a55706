import { Option } from 'commander';
import { parseDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';

/** Milliseconds; null if the flag was not given. */
export function durationOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = parseDuration(text);
  return ms ?? refuse(`${flag} must be a duration, not "${text}"`, 'For example 30s, 5m or 1h30m; 0 or off means none.');
}

/** The same, but refuses 0. */
export function positiveDurationOf(flag: string, text: string | undefined): number | null {
  const ms = durationOf(flag, text);
  return ms === 0 ? refuse(`${flag} must be longer than 0`, 'For example 1s or 5m.') : ms;
}

export function countOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : null;
  return count ?? refuse(`${flag} must be a whole number, not "${text}"`, 'For example 20.');
}

/** `5/10m`: five within ten minutes. */
export function intensityOf(flag: string, text: string | undefined): { readonly failures: number; readonly withinMs: number } | null {
  if (text === undefined || text === 'off') return null;
  const [, failures = '', within = ''] = /^(\d{1,6})\/(.+)$/.exec(text) ?? [];
  const withinMs = parseDuration(within);
  return failures !== '' && withinMs ? { failures: Number(failures), withinMs } : refuse(`${flag} must be n/duration, not "${text}"`, 'For example 5/10m.');
}

/** If a name is given twice, the last one wins, as in a shell. */
export function variablesOf(flag: string, pairs: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map((pair) => variableIn(flag, pair)));
}

function variableIn(flag: string, pair: string): readonly [string, string] {
  const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(pair) ?? [];
  if (name === undefined) return refuse(`${flag} must be NAME=value, not "${pair}"`, 'For example --env NODE_ENV=test.');
  // Ralph finds its own processes by this variable.
  if (name === 'RALPH_MARKER') return refuse(`${flag} may not set RALPH_MARKER`, 'Leave it out.');
  return [name, value];
}

export function choiceOf<C extends string>(flag: string, text: string | undefined, choices: readonly C[]): C | null {
  if (text === undefined) return null;
  return choices.find((choice) => choice === text) ?? refuse(`${flag} must be ${choices.join(' or ')}, not "${text}"`, `For example ${flag} ${choices[0]}.`);
}

function refuse(message: string, hint: string): never {
  throw new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** The values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Makes an option that may be repeated. */
export const repeatable = (flags: string, help: string) => () => new Option(flags, help).argParser(collect);

/** Another name for an option, such as the one of another recipe. It sets the value of `target`, so nobody has to know it. Hidden in the short help. */
export function otherName(flags: string, target: string): Option {
  const name = target.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.assign(new Option(flags, `the same as --${target}`).hideHelp(), { attributeName: () => name });
}

/** A number if the word is one; otherwise the word, which the schema then refuses. */
export const numberOrText = (word: string) => (/^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word);

/** Receives the exit code of the command. */
export type Finish = (exitCode: number) => void;

/** Throws if the current directory was removed while the shell was in it. */
export function currentDirectory(): string {
  try {
    return io().cwd();
  } catch (cause) {
    throw new OperatorError('no-directory', 'the current directory is gone', { hint: 'Change to one that exists.', exitCode: 4, cause });
  }
}

/** The agents of a run, for commands with `--agent`. */
export function agentsOption(): Option {
  return new Option('--agents <list>', 'the agents in your order, such as claude,codex: the next goes on while the first is limited or cannot work').conflicts([
    'agent',
  ]);
}
