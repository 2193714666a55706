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

/** Longer values are cut in the table; the JSON has them in full. */
const LONGEST_VALUE = 120;

/** Key, source and value in columns, one line per item of a list. The value is the last column because only it can be long. */
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

/** The settings in the shape of a settings file, null where not set; and beside them the source of each. */
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

/** Redacts secrets in all texts of a JSON value, and list items that follow a flag for a secret, such as `--token`. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item, at) => (isFlagOfASecret(value[at - 1]) && typeof item === 'string' ? '[redacted]' : withoutSecrets(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withoutSecrets(inside)]));
}

/** True if `redact` would hide any value after this flag. */
const isFlagOfASecret = (item: unknown) => typeof item === 'string' && item.startsWith('-') && redact(`${item} x`) === `${item} [redacted]`;
