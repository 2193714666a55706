import * as z from 'zod';
import { valueAt } from './load-settings.ts';
import { LOOP_DEFAULTS, RalphYaml, snakeCase } from './schema/loop-settings.ts';
import { DEFAULTS, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-defaults.ts';
import { SettingsFile } from './schema/settings-file.ts';

/** The part of JSON Schema that the settings use. */
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
  /** The schema of values whose keys the operator chooses; false if there are none. */
  readonly additionalProperties?: SettingSchema | false;
  readonly required?: readonly string[];
}

/** The schema with which editors check and complete a settings file. Draft 7, because every editor supports it. */
export function settingsSchema(): SettingSchema {
  return { ...withDefaults(bareSchema(SettingsFile), [], defaultAt), title: 'Settings of Ralph' };
}

/** The same for `ralph.yaml`. */
function yamlSchema(): SettingSchema {
  const defaults = { ralph_loop: Object.fromEntries(Object.entries(LOOP_DEFAULTS).map(([key, value]) => [snakeCase(key), value])) };
  return { ...withDefaults(bareSchema(RalphYaml), [], (path) => valueAt(defaults, path)), title: 'Settings of ralph loop' };
}

/** The schemas as texts of files. */
export const settingsSchemaText = () => asFile(settingsSchema());
export const yamlSchemaText = () => asFile(yamlSchema());

const asFile = (schema: SettingSchema) => `${JSON.stringify(schema, null, 2)}\n`;

/** The default of the key at this path; undefined if it has none. */
export function defaultAt(path: readonly string[]): unknown {
  return valueAt(DEFAULTS, path) ?? valueAt(OPTIONAL_GROUP_DEFAULTS, path);
}

const bareSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as SettingSchema;

type DefaultAt = (path: readonly string[]) => unknown;

function withDefaults({ properties, items, anyOf, ...schema }: SettingSchema, path: readonly string[], defaultOf: DefaultAt): SettingSchema {
  const inside = (part: SettingSchema, at = path) => withDefaults(part, at, defaultOf);
  const isGroup = properties !== undefined || anyOf?.some((choice) => choice.properties !== undefined);
  const value = isGroup ? undefined : defaultOf(path);
  return {
    ...schema,
    ...(value !== undefined && { default: value }),
    // Items of a list have the path of the list. Only items that are groups have defaults of their own.
    ...(items !== undefined && { items: items.properties === undefined ? items : inside(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((choice) => (choice.properties === undefined ? choice : inside(choice))) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, inside(part, [...path, key])])),
    }),
  };
}
