import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as zod from 'zod';
import * as shape from './shape.ts';

/** The same definitions with zod and with ours; both must parse the same. */
function shapesOf(z: typeof shape) {
  const Kind = z.enum(['a', 'b']);
  const Row = z.strictObject({ id: z.string().min(1), n: z.number().int().nonnegative().nullable(), kind: Kind.default('a'), note: z.string().optional() });
  return {
    text: z.string().regex(/^[ab]*$/),
    number: z.number().positive().nullish(),
    row: Row,
    rows: z.array(Row).min(1),
    pair: z.array(z.boolean()).length(2),
    dropped: z.object({ id: z.string(), rest: z.unknown().optional() }),
    kept: z.looseObject({ id: z.string() }),
    named: z.record(z.string(), z.number()),
    part: Row.pick({ id: true, kind: true })
      .partial()
      .extend({ n: z.literal(1) }),
    caught: z.object({ n: z.number().min(2).catch(7), kind: Kind.nullable().catch(null) }),
    either: z.union([z.literal(2), z.string(), Row.loose()]),
    told: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a'), id: z.string() }),
      z.strictObject({ kind: z.literal('b'), n: z.number().int() }),
    ]),
  };
}

const word = fc.constantFrom('', 'a', 'b', 'ab', 'c', 'id', 'kind');
const atom = fc.oneof(word, fc.constantFrom(0, 1, 2, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60), fc.boolean(), fc.constantFrom(null, undefined));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, atom, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('id', 'n', 'kind', 'note', 'rest', 'other', '__proto__'), tie('any'), { maxKeys: 5 }),
}));
const row = fc.record({ id: word, n: atom, kind: word, note: atom }, { requiredKeys: ['id'] });

describe('a shape', () => {
  const ours = shapesOf(shape);
  const theirs = shapesOf(zod as unknown as typeof shape);

  it.each(Object.keys(ours) as (keyof typeof ours)[])('parses %s like zod', (name) => {
    fc.assert(
      fc.property(fc.oneof(value['any'], row, fc.array(row, { maxLength: 2 })), (given) => {
        const [our, their] = [ours[name].safeParse(given), theirs[name].safeParse(given)];
        expect(our.success).toBe(their.success);
        expect(our.data).toStrictEqual(their.data);
      }),
      { seed: 15, numRuns: 400 },
    );
  });

  it('reports the path of the first problem', () => {
    const read = ours.rows.safeParse([
      { id: 'a', n: 1 },
      { id: 'b', n: 'x' },
    ]);
    expect(read.error?.issues).toMatchObject([{ path: [1, 'n'], message: 'must be a number' }]);
    expect(() => ours.row.parse({ id: 'a', n: null, more: 1 })).toThrow('the value has no field "more"');
  });
});
