/*
 * Checks values from outside and gives them a type. It has the API of zod, reduced to what journals, registers and messages need.
 * Creating a shape is cheap, so a program can have hundreds of them at its start. Settings use zod itself, for its error messages and descriptions.
 */
import {
  ANYTHING,
  type AnyShape,
  type Atom,
  choiceOf,
  FLAG,
  listOf,
  NUMBER,
  oneValue,
  type Problem,
  problem,
  problemAt,
  type Shape,
  shapeOf,
  TEXT,
  type TextShape,
  type Value,
  WRONG,
  type Wrong,
  waysWith,
} from './shape-of-one.ts';

type Fields = Readonly<Record<string, AnyShape>>;
type Flat<T> = { [K in keyof T]: T[K] } & {};
type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly presence?: 'optional' } ? K : never }[keyof F];
type Taken<F extends Fields> = Flat<{ -readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]> } & { -readonly [K in OptionalKeys<F>]?: Value<F[K]> }>;
type Partly<F extends Fields> = { [K in keyof F]: Shape<Value<F[K]> | undefined, 'optional'> };

/** What to do with unknown fields: refuse, drop or keep them. */
type Others = 'wrong' | 'dropped' | 'kept';

export interface Loose {
  [key: string]: unknown;
}

export interface ObjectShape<F extends Fields, Rest = unknown> extends Shape<Taken<F> & Rest> {
  readonly shape: F;
  pick<K extends keyof F & string>(keys: Readonly<Record<K, true>>): ObjectShape<Pick<F, K>, Rest>;
  partial(): ObjectShape<Partly<F>, Rest>;
  extend<More extends Fields>(more: More): ObjectShape<Flat<Omit<F, keyof More> & More>, Rest>;
  loose(): ObjectShape<F, Loose>;
}

type Given = Readonly<Record<string, unknown>>;

interface MadeObject extends AnyShape {
  readonly shape: Fields;
  readonly others: Others;
}

const remade = ({ others }: MadeObject, shape: Readonly<Record<string, AnyShape | undefined>>) => objectOf(shape as Fields, others);

const OBJECT_WAYS = waysWith({
  pick(this: MadeObject, keys: Readonly<Record<string, true>>) {
    return remade(this, Object.fromEntries(Object.keys(keys).map((key) => [key, this.shape[key]])));
  },
  partial(this: MadeObject) {
    return remade(this, Object.fromEntries(Object.entries(this.shape).map(([key, each]) => [key, each.optional()])));
  },
  extend(this: MadeObject, more: Fields) {
    return remade(this, { ...this.shape, ...more });
  },
  loose(this: MadeObject) {
    return objectOf(this.shape, 'kept');
  },
});

function objectOf<F extends Fields, Rest = unknown>(shape: F, others: Others): ObjectShape<F, Rest> {
  const read = (value: unknown, trouble: Problem) => {
    if (!isRecord(value)) return problem(trouble, 'must be an object');
    const taken = named(shape, value, trouble);
    if (taken === WRONG || others === 'dropped') return taken as (Taken<F> & Rest) | Wrong;
    return (others === 'kept' ? { ...taken, ...unnamed(shape, value) } : onlyNamed(shape, value, taken, trouble)) as (Taken<F> & Rest) | Wrong;
  };
  return Object.assign(shapeOf<Taken<F> & Rest>({ of: 'fields', fields: shape }, read, OBJECT_WAYS), { shape, others }) as never;
}

function named(shape: Fields, value: Given, trouble: Problem): Record<string, unknown> | Wrong {
  const taken: Record<string, unknown> = {};
  for (const key in shape) {
    const isGiven = key in value;
    const read = shape[key]?.read(value[key], trouble);
    if (read === WRONG) return problemAt(trouble, key);
    if (isGiven || read !== undefined) taken[key] = read;
  }
  return taken;
}

function unnamed(shape: Fields, value: Given): Given {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key) && key !== '__proto__'));
}

function onlyNamed(shape: Fields, value: Given, taken: Given, trouble: Problem): Given | Wrong {
  for (const key in value) if (!Object.hasOwn(shape, key)) return problem(trouble, `has no field ${JSON.stringify(key)}`);
  return taken;
}

/** Any keys, all with the same kind of value. */
function recordOf<T>(kind: Shape<T>): Shape<Record<string, T>> {
  return shapeOf({ of: 'names' }, (value, trouble) => {
    if (!isRecord(value)) return problem(trouble, 'must be an object');
    const taken: Record<string, T> = {};
    for (const key of Object.keys(value)) {
      if (key === '__proto__') continue;
      const read = kind.read(value[key], trouble);
      if (read === WRONG) return problemAt(trouble, key);
      taken[key] = read;
    }
    return taken;
  });
}

function unionOf<T>(options: readonly Shape<T>[]): Shape<T> {
  return shapeOf({ of: 'one', options }, (value, trouble) => {
    for (const option of options) {
      const read = option.read(value, { path: [], message: '' });
      if (read !== WRONG) return read;
    }
    return problem(trouble, 'must be one of several forms');
  });
}

/** A union of objects that are distinguished by one field. */
function toldApart<T>(key: string, options: readonly Shape<T>[]): Shape<T> & { readonly options: readonly Shape<T>[] } {
  let byWord: ReadonlyMap<unknown, Shape<T>> | null = null;
  const shape = shapeOf<T>({ of: 'one', options }, (value, trouble) => {
    if (!isRecord(value)) return problem(trouble, 'must be an object');
    byWord ??= new Map(options.flatMap((option) => wordsOf(option, key).map((word) => [word, option])));
    const option = byWord.get(value[key]);
    if (option) return option.read(value, trouble);
    problem(trouble, 'must be one that is known');
    return problemAt(trouble, key);
  });
  return Object.assign(shape, { options });
}

function wordsOf({ made }: AnyShape, key: string): readonly unknown[] {
  if (made.of === 'one') return made.options.flatMap((each) => wordsOf(each, key));
  const told = made.of === 'fields' ? made.fields[key]?.made : undefined;
  return told?.of === 'words' ? told.words : [];
}

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const string = () => TEXT;
export const number = () => NUMBER;
export const boolean = () => FLAG;
export const unknown = () => ANYTHING;
export const literal = <const V extends Atom>(value: V) => oneValue(value);
export const array = <S extends AnyShape>(item: S) => listOf(item as Shape<Value<S>>);
export const record = <S extends AnyShape>(_key: TextShape, value: S) => recordOf(value as Shape<Value<S>>);
export const strictObject = <const F extends Fields>(shape: F) => objectOf(shape, 'wrong');
export const object = <const F extends Fields>(shape: F) => objectOf(shape, 'dropped');
export const looseObject = <const F extends Fields>(shape: F) => objectOf<F, Loose>(shape, 'kept');
export const union = <const S extends readonly AnyShape[]>(options: S) => unionOf(options as readonly Shape<Value<S[number]>>[]);
export const discriminatedUnion = <const S extends readonly AnyShape[]>(key: string, options: S) =>
  toldApart(key, options as unknown as readonly Shape<Value<S[number]>>[]);

export type { Shape, Value as infer };
export { choiceOf as enum };
