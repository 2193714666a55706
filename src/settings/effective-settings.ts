import { type NamedSettings, readLoopSettings } from './load-loop-settings.ts';
import { valueAt } from './load-settings.ts';
import { DEFAULTS } from './schema/settings-defaults.ts';
import { defaultAt, type SettingSchema, settingsSchema } from './settings-schema.ts';

/** A setting as a run would use it. A list is one setting. So is an optional group that no file has. */
export interface EffectiveSetting {
  /** For example `['agent', 'command']`. */
  readonly path: readonly string[];
  /** Undefined if it is not set and has no default. */
  readonly value: unknown;
  /** The file that sets it, or `default`. */
  readonly source: string;
}

/** All settings, in the order of the reference, for a run or a loop that is started in this directory with no flags except `--config`. */
export async function effectiveSettings(cwd: string, config: string | null): Promise<readonly EffectiveSetting[]> {
  const sources = (await readLoopSettings(cwd, config)).toReversed();
  const { $schema: _, ...settings } = settingsSchema().properties ?? {};
  return settingsIn(settings, [], sources);
}

type Properties = NonNullable<SettingSchema['properties']>;

function settingsIn(properties: Properties, above: readonly string[], sources: readonly NamedSettings[]): readonly EffectiveSetting[] {
  return Object.entries(properties).flatMap(([key, { properties: inside }]) => {
    const path = [...above, key];
    const saidBy = sources.find(({ settings }) => valueAt(settings, path) !== undefined);
    if (inside === undefined) return { path, value: saidBy ? valueAt(saidBy.settings, path) : defaultAt(path), source: saidBy?.name ?? 'default' };
    const isThere = saidBy !== undefined || valueAt(DEFAULTS, path) !== undefined;
    return isThere ? settingsIn(inside, path, sources) : { path, value: undefined, source: 'default' };
  });
}
