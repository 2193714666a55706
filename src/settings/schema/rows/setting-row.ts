/*
 * A setting is one row. The settings file, its JSON Schema, ralph.yaml, the defaults, `ralph config show` and docs/reference/settings.md come from it;
 * with `flag` also its flag and the help, with `library` the option of `runLoop`, with `inRun` the settings of a run. Rows are plain data, so that a
 * command need not load zod for them.
 */

/** The kinds of values, and the type that each has in a settings file. `kinds/setting.ts` has their checks. */
interface Values {
  readonly text: string;
  readonly texts: string[];
  readonly flag: boolean;
  readonly count: number;
  readonly integer: number;
  readonly 'positive integer': number;
  readonly 'positive number': number;
  readonly duration: string | number;
  readonly size: string | number;
}

export type KindName = keyof Values;

interface RowOf<Kind, Value> {
  readonly kind: Kind;
  /** Null is a value too: no limit. */
  readonly orNull?: true;
  readonly default?: Value;
  /** A sentence for editors and the reference. */
  readonly about: string;
  /** Its name in the settings of a run; durations are milliseconds there, sizes bytes. Without it, a function of `src/settings/` reads the setting. */
  readonly inRun?: string;
  /** Journals of earlier versions lack it. */
  readonly isLate?: true;
  readonly flag?: SettingFlag;
  /** Whether `runLoop` has it as an option, or the name of that option, if it has another. */
  readonly library?: true | string;
}

/** The commands with flags for settings. `job` has those of `supervise`. */
export const EVERY_COMMAND = ['run', 'loop', 'work', 'supervise', 'doctor'] as const;
export type FlagCommand = (typeof EVERY_COMMAND)[number];

/** The part of a help that lists a flag; each command has its own heading for it. */
export type FlagGroup = 'agent' | 'proof' | 'limits' | 'place' | 'sandbox' | 'output';

/** The flag that sets a setting. The kind of the row decides how its value is read; a list may be repeated. */
export interface SettingFlag {
  /** As the help shows it, such as `-m, --model <name>`. A setting that is true by default may have a `--no-…`. */
  readonly spelling: string;
  /** Without the default, which the help adds. */
  readonly help: string;
  /** What 0 means. The help says it after the default. */
  readonly zero?: string;
  /** What the help says instead of the default; null: nothing. */
  readonly unset?: string | null;
  /** The names that other loops use for it. Only one of all names can be given. */
  readonly aliases?: readonly string[];
  /** The help of `--no-…`; true: it exists, but is hidden. */
  readonly opposite?: true | string;
  /** What a flag without its word, and its opposite, set. */
  readonly words?: { readonly bare: string; readonly opposite: string };
  /** Another setting, and the value that it gets unless its own flag is given. */
  readonly implies?: readonly [key: string, value: string];
  readonly group: FlagGroup;
  readonly commands: readonly FlagCommand[];
  /** What is different in a command. */
  readonly but?: { readonly [Name in FlagCommand]?: Partial<Pick<SettingFlag, 'spelling' | 'help' | 'aliases'>> };
}

export type SettingRow = { readonly [Name in KindName]: RowOf<Name, Readonly<Values[Name]>> }[KindName] | RowOf<readonly string[], string>;

/** The rows of a group, by key. */
export type SettingRows = Readonly<Record<string, SettingRow>>;

/** The type of a setting. A row with a list of words takes one of them. */
export type ValueOf<Row> = Row extends { readonly kind: readonly (infer Word)[] }
  ? Word
  : Row extends { readonly kind: infer Name extends KindName }
    ? Values[Name]
    : never;

export type KeyWithDefault<Rows> = { [Key in keyof Rows]: Rows[Key] extends { readonly default: unknown } ? Key : never }[keyof Rows];

export type Defaults<Rows> = { readonly [Key in KeyWithDefault<Rows>]: ValueOf<Rows[Key]> };

export function defaultsOf<const Rows extends SettingRows>(rows: Rows): Defaults<Rows> {
  const known = Object.entries(rows).filter(([, row]) => row.default !== undefined);
  return Object.fromEntries(known.map(([key, row]) => [key, row.default])) as Defaults<Rows>;
}
