import { deepMerge } from '../../kit/pure/deep-merge.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { EffectiveSetting } from '../../settings/effective-settings.ts';
import { withoutSecrets } from './without-secrets.ts';

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
