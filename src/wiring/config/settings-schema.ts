import * as z from 'zod';
import { DEFAULTS, DEFAULTS_ONCE_ASKED_FOR, SettingsFile } from '../../model/settings-file.ts';
import { valueAt } from './value-at.ts';

/** The part of JSON Schema that settings are made of. */
export interface SettingSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly anyOf?: readonly SettingSchema[];
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
}

/** What editors check and complete a settings file by. In draft 7, the one every editor knows. */
export function settingsSchema(): SettingSchema {
  const bare = z.toJSONSchema(SettingsFile, { target: 'draft-7', io: 'input' }) as SettingSchema;
  return { ...withDefaults(bare, []), title: 'Settings of Ralph' };
}

/** The schema as a file of its own. */
export function settingsSchemaText(): string {
  return `${JSON.stringify(settingsSchema(), null, 2)}\n`;
}

/** What holds for a key, by its path, when nobody says otherwise; undefined if nothing does. */
export function defaultAt(path: readonly string[]): unknown {
  return valueAt(DEFAULTS, path) ?? valueAt(DEFAULTS_ONCE_ASKED_FOR, path);
}

function withDefaults({ properties, items, ...schema }: SettingSchema, path: readonly string[]): SettingSchema {
  const value = properties === undefined ? defaultAt(path) : undefined;
  return {
    ...schema,
    ...(value !== undefined && { default: value }),
    // The items of a list have its path; of those that are no groups it says nothing.
    ...(items !== undefined && { items: items.properties === undefined ? items : withDefaults(items, path) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, inside]) => [key, withDefaults(inside, [...path, key])])),
    }),
  };
}
