import { parseBytes, parseDuration } from '../../../kit/pure/amounts.ts';
import * as z from '../../../kit/pure/shape.ts';
import type { SettingRow, SettingRows, ValueOf } from './setting-row.ts';

// How the value of a row gets into the settings of a run, and how a journal is checked for it.

type InRun<Row> = Row extends { readonly kind: 'duration' | 'size' } ? number : Row extends { readonly kind: 'texts' } ? string[] : ValueOf<Row>;

type NameInRun<Row> = Row extends { readonly inRun: infer Name extends string } ? Name : never;

type ShapeOf<Row> = Row extends { readonly isLate: true } ? z.Shape<InRun<Row> | undefined, 'optional'> : z.Shape<InRun<Row>>;

export type ShapesInRun<Rows> = { readonly [Key in keyof Rows as NameInRun<Rows[Key]>]: ShapeOf<Rows[Key]> };

export type ValuesInRun<Rows> = { readonly [Key in keyof Rows as NameInRun<Rows[Key]>]: InRun<Rows[Key]> };

const Whole = z.number().int().nonnegative();

const SHAPES = {
  text: z.string().min(1),
  texts: z.array(z.string()),
  flag: z.boolean(),
  count: Whole,
  integer: z.number().int(),
  'positive integer': z.number().int().positive(),
  'positive number': z.number().positive(),
  duration: Whole,
  size: Whole,
} as const;

/** The fields of a run's settings that these rows fill. */
export function shapesInRun<const Rows extends SettingRows>(rows: Rows): ShapesInRun<Rows> {
  const shapes = rowsInRun(rows).map(([, row]) => {
    const shape: z.Shape<unknown> = typeof row.kind === 'string' ? SHAPES[row.kind] : z.enum(row.kind as [string, ...string[]]);
    return [row.inRun, row.isLate ? shape.optional() : shape];
  });
  return Object.fromEntries(shapes) as ShapesInRun<Rows>;
}

/** The values of these fields. The schema has checked the settings. */
export function valuesInRun<const Rows extends SettingRows>(rows: Rows, said: { readonly [Key in keyof Rows]?: unknown }): ValuesInRun<Rows> {
  const values = rowsInRun(rows).map(([key, row]) => [row.inRun, inUnits(row, said[key])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ValuesInRun<Rows>;
}

const rowsInRun = (rows: SettingRows) => Object.entries<SettingRow>(rows).filter(([, { inRun }]) => inRun !== undefined);

function inUnits({ kind }: SettingRow, value: unknown): unknown {
  if (kind === 'duration') return parseDuration(value as string | number) ?? 0;
  if (kind === 'size') return parseBytes(value as string | number) ?? 0;
  return Array.isArray(value) ? [...value] : value;
}
