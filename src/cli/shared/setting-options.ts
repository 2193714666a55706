import { type Command, Option } from 'commander';
import { type CommandFlag, flagsOfCommand, longNameIn, optionNameOf } from '../../settings/schema/rows/all-rows.ts';
import type { FlagCommand, FlagGroup } from '../../settings/schema/rows/setting-row.ts';
import { collect } from './flags.ts';

// The options of commands whose settings have flags. The rows of the settings have the flags; a command only orders them among its own options.

/** The name of a setting's flag, that name with another help, or an option of the command's own; a program needs options that no other program has. */
type Item = string | { readonly flag: string; readonly help: string } | readonly [flags: string, help: string] | (() => Option);

interface OptionGroup {
  readonly title: string;
  /** The flags of settings that the list does not name come last in their group. */
  readonly group?: FlagGroup;
  readonly options: readonly Item[];
}

/** The group of every command that starts agents. */
export const SANDBOX_OPTIONS: OptionGroup = {
  title: 'Sandbox:',
  group: 'sandbox',
  options: ['--sandbox', '--workspace', '--allow-host', '--no-preflight'],
};

/** The end of the proof options of every command that proves claims. */
export const PROOF_OPTIONS = ['--proof', '--sealed', '--may-change'] as const;

/** The last options of every command that runs agents. */
export const OUTPUT_OPTIONS = [
  ['--json', 'print the result as one JSON object on standard output'],
  ['-q, --quiet', 'print only the result'],
  ['-V, --verbose', 'print more'],
  ['--ui', 'also serve the page of ralph ui while this runs, and print its address'],
  ['--watch', 'show the screen of ralph watch instead of lines (default of several workers on a terminal)'],
  ['--plain', 'print lines, also for several workers'],
] as const;

/** Adds options in the order of the help. */
export function addOptions(command: Command, name: FlagCommand, groups: readonly OptionGroup[]): Command {
  const ofSettings = new Map(flagsOfCommand(name).flatMap(namedOptions));
  const placed = new Set(groups.flatMap(({ options }) => options.map(flagIn)));
  for (const { title, group, options } of groups) {
    command.optionsGroup(title);
    const unplaced = [...ofSettings].filter(([flag, named]) => named.group === group && !placed.has(flag));
    for (const option of [...options, ...unplaced.map(([flag]) => flag)].flatMap((item) => optionsFor(item, ofSettings))) command.addOption(option);
  }
  return command;
}

/** The name of the setting's flag that an item places. */
const flagIn = (item: Item) => (typeof item === 'object' && 'flag' in item ? item.flag : item);

interface NamedOptions {
  readonly group: FlagGroup;
  /** The option, and its opposite. */
  readonly options: readonly Option[];
}

/** By the name of the flag; each alias has its own. */
function namedOptions({ row, flag }: CommandFlag): readonly (readonly [string, NamedOptions])[] {
  const { spelling, aliases = [], opposite, group } = flag;
  const main = optionFor(spelling, `${flag.help}${defaultText(row.default, flag)}`, row.kind);
  const name = longNameIn(spelling);
  const named = [spelling, ...aliases].map(optionNameOf);
  const others = aliases.map((alias, index) => {
    const option = new Option(alias, `the same as ${name}`).hideHelp().conflicts([named[0] ?? '', ...named.slice(index + 2)]);
    return [longNameIn(alias), { group, options: [option] }] as const;
  });
  if (name.startsWith('--no-')) return [[name, { group, options: [hiddenOpposite(name.replace('--no-', '--')), main] }]];
  const no = name.replace('--', '--no-');
  const pair = opposite === undefined ? [main] : [main, opposite === true ? hiddenOpposite(no) : new Option(no, opposite)];
  return [[name, { group, options: pair }], ...others];
}

const optionFor = (spelling: string, help: string, kind: CommandFlag['row']['kind']) =>
  kind === 'texts' ? new Option(spelling, help).argParser(collect) : new Option(spelling, help);

/** Hidden: the end of the help explains --no-… once. */
const hiddenOpposite = (flag: string) => new Option(flag, 'the opposite').hideHelp();

function defaultText(value: unknown, { spelling, unset, zero }: CommandFlag['flag']): string {
  if (unset !== undefined) return unset === null ? '' : ` (${unset})`;
  if (value === true) return spelling.startsWith('--no-') ? '' : ' (default)';
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  if (zero === undefined) return ` (${value})`;
  return value === 0 ? ` (0 = ${zero})` : ` (${value}, 0 = ${zero})`;
}

function optionsFor(item: Item, ofSettings: ReadonlyMap<string, NamedOptions>): readonly Option[] {
  if (typeof item === 'function') return [item()];
  if (typeof item === 'string') return ofSettings.get(item)?.options ?? [];
  if ('flag' in item) return (ofSettings.get(item.flag)?.options ?? []).map((option) => Object.assign(option, { description: item.help }));
  return [new Option(...item)];
}
