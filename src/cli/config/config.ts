import { deepMerge } from '../../kit/pure/json-objects.ts';
import { redact } from '../../kit/pure/redact.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { type EffectiveSetting, effectiveSettings } from '../../settings/effective-settings.ts';
import { settingsSchemaText, yamlSchemaText } from '../../settings/settings-schema.ts';
import { currentDirectory } from '../shared/flags.ts';

interface ConfigFlags {
  readonly config?: string;
  readonly json?: boolean;
  readonly yaml?: boolean;
}

export async function configCommand(what: 'show' | 'schema', flags: ConfigFlags): Promise<number> {
  io().stdout.write(what === 'schema' ? schema(flags) : await shown(flags));
  return 0;
}

const schema = ({ yaml }: ConfigFlags) => (yaml ? yamlSchemaText() : settingsSchemaText());

async function shown({ json, config }: ConfigFlags): Promise<string> {
  const settings = await effectiveSettings(currentDirectory(), config ?? null);
  return json ? settingsJson(settings) : settingsTable(settings);
}

/** A line should stay a line; the whole value is in the JSON. */
const LONGEST_VALUE = 120;

/** Key, source and value in columns; a list has a line for each item. Values come last: only they can be long. */
export function settingsTable(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map(({ path, source, value }) => ({ key: path.join('.'), source, lines: linesOf(withoutSecrets(value)) }));
  const keyWidth = widest(rows.map(({ key }) => key));
  const sourceWidth = widest(rows.map(({ source }) => source));
  return rows
    .flatMap(({ key, source, lines }) =>
      lines.map((line, at) => [(at === 0 ? key : '').padEnd(keyWidth), (at === 0 ? source : '').padEnd(sourceWidth), line].join('  ')),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Every setting where a settings file has it, null if it is not set; and beside it who says so. */
export function settingsJson(settings: readonly EffectiveSetting[]): string {
  const nested = settings.reduce<unknown>((all, { path, value }) => deepMerge(all, nest(path, withoutSecrets(value) ?? null)), {});
  const sources = Object.fromEntries(settings.map(({ path, source }) => [path.join('.'), source]));
  return `${JSON.stringify({ settings: nested, sources })}\n`;
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return ['not set'];
  if (Array.isArray(value) && value.length > 0) return value.map((item) => `- ${inWords(item)}`);
  return [inWords(value)];
}

const inWords = (value: unknown) => truncateCodePoints(oneLine(JSON.stringify(value)), LONGEST_VALUE, '…');

const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));

const nest = (path: readonly string[], value: unknown) => path.reduceRight<unknown>((inside, key) => ({ [key]: inside }), value);

/** A JSON value with the secrets in its texts hidden, and those items of a list that stand after the flag they belong to. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item, at) => (isFlagOfASecret(value[at - 1]) && typeof item === 'string' ? '[redacted]' : withoutSecrets(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withoutSecrets(inside)]));
}

/** Whatever stood after it would be hidden. */
const isFlagOfASecret = (item: unknown) => typeof item === 'string' && item.startsWith('-') && redact(`${item} x`) === `${item} [redacted]`;
