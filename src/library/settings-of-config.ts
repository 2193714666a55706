import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { setAt } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { checkSettings } from '../settings/check-settings.ts';
import { ALL_ROWS } from '../settings/schema/rows/all-rows.ts';
import type { SettingsFile } from '../settings/schema/settings-file.ts';
import type { LoopConfig, SettingOptions } from './loop-config.ts';

/** The setting of each option: the rows with `library`, and two settings without a row. */
const WITHOUT_ROW = { agentFlags: 'agent.flags', prices: 'prices' } as const;
const SETTING_OF: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ALL_ROWS).flatMap(([key, { library }]) =>
    library === undefined ? [] : [[library === true ? key.replace(/^.*\./, '') : library, key] as const],
  ),
  ...Object.entries(WITHOUT_ROW),
]);

/** Options that are not settings, and their types. Null means not set, as everywhere. */
const OTHERS = {
  task: 'string',
  specFile: 'string',
  configFile: 'string',
  workspaceRoot: 'string',
  resume: 'string',
  agentFactory: 'function',
  onEvent: 'function',
  signal: 'object',
  witnesses: 'object',
  obeySignals: 'boolean',
  noChecks: 'boolean',
} as const satisfies Record<Exclude<keyof LoopConfig, keyof SettingOptions | keyof typeof WITHOUT_ROW>, string>;

/** The options as a settings file that overrides the others. JavaScript callers get the errors that a compiler would report. */
export function settingsOfConfig(config: LoopConfig): SettingsFile {
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(config)) {
    const setting = SETTING_OF.get(name);
    // Null means not set, unless it is a value of the setting and overrides a file.
    if (value === undefined || (value === null && !ALL_ROWS[setting ?? '']?.orNull)) continue;
    if (setting === undefined) refuseOther(name, value);
    else setAt(said, setting, value);
  }
  return checkSettings(said, (problem, { key }) => refusal(inOurWords(problem, key)));
}

function refuseOther(name: string, value: unknown): void {
  const wanted = Object.hasOwn(OTHERS, name) ? OTHERS[name as keyof typeof OTHERS] : null;
  if (wanted === null) {
    const near = didYouMean(name, [...SETTING_OF.keys(), ...Object.keys(OTHERS)]);
    throw refusal(`${name} is not a setting of runLoop${near === null ? '' : `; did you mean "${near}"?`}`);
  }
  if (typeof value !== wanted) throw refusal(`${name} must be ${wanted === 'object' ? 'an' : 'a'} ${wanted}, got ${typeof value}`);
}

/** Replaces the key of the setting by the name of the option. */
function inOurWords(problem: string, key: string): string {
  const found = [...SETTING_OF].find(([, setting]) => key === setting || key.startsWith(`${setting}[`) || key.startsWith(`${setting}.`));
  return found === undefined ? problem : `${found[0]}${problem.slice(found[1].length)}`;
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'See the type LoopConfig, or docs/guide/as-a-library.md.', exitCode: 2 });
}
