import { setAt } from '../../kit/pure/json-objects.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { agentsInFlag } from '../../settings/agent-list.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import { type CommandFlag, flagsOfCommand, optionNameOf } from '../../settings/schema/rows/all-rows.ts';
import type { FlagCommand, SettingRow } from '../../settings/schema/rows/setting-row.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { numberOrText } from './flags.ts';

/** What commander makes of the flags of settings. */
export type SettingFlags = Readonly<Record<string, unknown>>;

/** A setting that the command line gives, and the flag that was typed for it. */
interface Given {
  readonly key: string;
  readonly flag: string;
  readonly value: unknown;
}

/** The command line as a settings file that overrides the others; the same schema checks it. `more` is what flags besides those of the rows give. */
export function settingsFromFlags(command: FlagCommand, flags: SettingFlags, more: readonly Given[] = []): SettingsFile {
  const given = [...allGiven(command, flags), ...more];
  const said: Record<string, unknown> = {};
  for (const { key, value } of given) setAt(said, key, value);
  return checkSettings(said, (problem, { key }) => {
    // The operator typed a flag, not the key of a setting.
    const flag = given.findLast((each) => key === each.key || key.startsWith(`${each.key}[`))?.flag;
    const hint = `ralph ${command} --help shows every option.`;
    return new OperatorError('usage', `${problem}${flag === undefined ? '' : ` (from ${flag})`}`, { hint, exitCode: 2 });
  });
}

/** `--agents claude,codex`: the first is the agent, the others take over. */
export function agentsGiven(list: string | undefined, key: 'agent.command' | 'loop.agent'): readonly Given[] {
  if (list === undefined) return [];
  const [first, ...fallback] = agentsInFlag(list);
  return [
    { key, flag: '--agents', value: first },
    { key: 'agent.fallback', flag: '--agents', value: fallback },
  ];
}

/** An implied value comes first, so that a flag of its own overrides it. */
function allGiven(command: FlagCommand, flags: SettingFlags): readonly Given[] {
  const typed = flagsOfCommand(command).flatMap((each) => typedFlag(each, flags));
  const implied = typed.flatMap(({ implies, flag }) => (implies === undefined ? [] : [{ key: implies[0], flag, value: implies[1] }]));
  return [...implied, ...typed];
}

function typedFlag({ key, row, flag: { spelling, aliases = [], words, implies } }: CommandFlag, flags: SettingFlags) {
  const typed = [spelling, ...aliases].find((each) => flags[optionNameOf(each)] !== undefined);
  if (typed === undefined) return [];
  const value = flags[optionNameOf(typed)];
  const isBare = words !== undefined && typeof value === 'boolean';
  const read = isBare ? (value ? words.bare : words.opposite) : isNumber(row) ? numberOrText(String(value)) : value;
  return [{ key, flag: typed.replace(/ [<[].*$/, ''), value: read, implies }];
}

const isNumber = ({ kind }: SettingRow) => kind === 'count' || kind === 'integer' || kind === 'positive integer' || kind === 'positive number';
