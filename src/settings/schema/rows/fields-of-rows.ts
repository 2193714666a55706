import type * as z from 'zod';
import { bytes, count, duration, filledText, flag, integer, listOf, oneOf, positiveInteger, positiveNumber } from '../../kinds/setting.ts';
import type { SettingRow, SettingRows } from './setting-row.ts';

const KINDS = {
  text: filledText,
  texts: listOf(filledText, 'a list of texts'),
  flag,
  count,
  integer,
  'positive integer': positiveInteger,
  'positive number': positiveNumber,
  duration,
  size: bytes,
} as const;

type Kind<Row> = Row extends { readonly kind: readonly (infer Word extends string)[] }
  ? z.ZodType<Word>
  : Row extends { readonly kind: infer Name extends keyof typeof KINDS }
    ? (typeof KINDS)[Name]
    : never;

type Field<Row> = z.ZodOptional<Row extends { readonly orNull: true } ? z.ZodNullable<Kind<Row>> : Kind<Row>>;

/** The fields of a settings file that these rows describe. */
export function fieldsOf<const Rows extends SettingRows>(rows: Rows): { readonly [Key in keyof Rows]: Field<Rows[Key]> } {
  return Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, fieldOf(row)])) as never;
}

function fieldOf({ kind, orNull, about }: SettingRow): z.ZodType {
  const value: z.ZodType = typeof kind === 'string' ? KINDS[kind] : oneOf(kind);
  return (orNull ? value.nullable() : value).describe(about).optional();
}
