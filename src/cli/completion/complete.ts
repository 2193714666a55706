import type { Command, Option } from 'commander';
import { agentPrograms } from '../../agents/definitions.ts';
import { io } from '../../process/io.ts';
import { buildProgram, commandNames, loadCommands } from '../program.ts';
import { currentDirectory } from '../shared/flags.ts';
import { runIds, taskIds } from './ids.ts';

/** Prints one candidate per line. A completion is never an error: nobody would see it. */
export async function completeCommand(words: readonly string[]): Promise<number> {
  try {
    const found = await candidates(words, currentDirectory());
    io().stdout.write(found.map((candidate) => `${candidate}\n`).join(''));
  } catch {}
  return 0;
}

type Kind = 'run' | 'task' | 'agent';

/** What the value of an option is, if it has one of the same meaning in every command. */
const VALUES: Readonly<Record<string, Kind>> = { '--resume': 'run', '--run': 'run', '--agent': 'agent', '--review-agent': 'agent' };

/** What an argument is, by its name. */
const ARGUMENTS: Readonly<Record<string, Kind>> = { run: 'run', task: 'task' };

/** The words that fit as the last of these words. */
export async function candidates(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const all = before.length === 0 ? [...commandNames, '--help', '--version'] : await after(before, current, cwd);
  return all.filter((candidate) => candidate.startsWith(current));
}

async function after(before: readonly string[], current: string, cwd: string): Promise<readonly string[]> {
  const { command, given } = commandOf(buildProgram(await loadCommands(before)), before);
  if (command === null) return [];
  const value = valueBefore(command, before);
  // Elsewhere --task names a task folder.
  if (value === '--task' && command.name() === 'accept') return await idsOf('task', cwd);
  if (value !== null) return await idsOf(VALUES[value] ?? null, cwd);
  if (current.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const subcommands = command.commands.map((each) => each.name());
  return subcommands.length > 0 ? subcommands : await argumentsOf(command, given, cwd);
}

/** The option whose value comes next; null if none does. The value of an optional one may be left out, but then nothing else is known to fit. */
function valueBefore(command: Command, before: readonly string[]): string | null {
  const last = before.at(-1) ?? '';
  const option = command.options.find((each) => isFlagOf(each, last) && (each.required || each.long === '--resume'));
  return option?.long ?? null;
}

const isFlagOf = ({ short, long }: Option, word: string) => word === short || word === long;

async function argumentsOf(command: Command, given: number, cwd: string): Promise<readonly string[]> {
  const argument = command.registeredArguments[given];
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return argument.argChoices;
  // The task of a loop is a text.
  return command.name() === 'loop' ? [] : await idsOf(ARGUMENTS[argument.name()] ?? null, cwd);
}

interface Called {
  /** Null: no such command. */
  readonly command: Command | null;
  /** How many arguments it has already. */
  readonly given: number;
}

function commandOf(program: Command, before: readonly string[]): Called {
  let command = program.commands.find((each) => each.name() === before[0]) ?? null;
  let given = 0;
  for (const [index, word] of before.entries()) {
    const previous = before[index - 1] ?? '';
    if (index === 0 || command === null || word.startsWith('-') || command.options.some((each) => each.required && isFlagOf(each, previous))) continue;
    const inside: Command | undefined = given === 0 ? command.commands.find((each) => each.name() === word) : undefined;
    if (inside === undefined) given += 1;
    else command = inside;
  }
  return { command, given };
}

async function idsOf(kind: Kind | null, cwd: string): Promise<readonly string[]> {
  switch (kind) {
    case 'run':
      return await runIds(cwd);
    case 'task':
      return await taskIds(cwd);
    case 'agent':
      return agentPrograms;
    case null:
      return [];
  }
}
