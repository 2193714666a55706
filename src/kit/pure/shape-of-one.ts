/** The first problem and its path, which is filled in from the inside out. */
export interface Problem {
  readonly path: PropertyKey[];
  message: string;
}

export const WRONG = Symbol('wrong');
export type Wrong = typeof WRONG;

export function problem(trouble: Problem, message: string): Wrong {
  trouble.message = message;
  return WRONG;
}

/** Adds a key to the path of a problem. */
export function problemAt(trouble: Problem, key: PropertyKey): Wrong {
  trouble.path.unshift(key);
  return WRONG;
}

export type Read<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: { readonly issues: readonly Problem[] } };

/** Whether a key may be left out; only `optional` sets it for the compiler. */
export type Presence = 'required' | 'optional';
export type AnyShape = Shape<unknown, Presence>;

/** The structure of a shape, for code that generates values of it. */
export type Structure =
  | { readonly of: 'text' | 'number' | 'flag' | 'anything' | 'names' }
  | { readonly of: 'words'; readonly words: readonly unknown[] }
  | { readonly of: 'else'; readonly inner: AnyShape; readonly instead: unknown }
  | { readonly of: 'list'; readonly item: AnyShape }
  | { readonly of: 'fields'; readonly fields: Readonly<Record<string, AnyShape>> }
  | { readonly of: 'one'; readonly options: readonly AnyShape[] };

export interface Shape<T, P extends Presence = 'required'> {
  readonly made: Structure;
  /** For the compiler only. */
  readonly presence?: P;
  /** Returns the checked value, or WRONG. */
  readonly read: (value: unknown, trouble: Problem) => T | Wrong;
  safeParse(value: unknown): Read<T>;
  parse(value: unknown): T;
  optional(): Shape<T | undefined, 'optional'>;
  nullable(): Shape<T | null>;
  nullish(): Shape<T | null | undefined, 'optional'>;
  /** The value to use if there is none. */
  default(value: Exclude<T, undefined>): Shape<Exclude<T, undefined>>;
  /** The value to use if there is none or an invalid one. */
  catch(value: T): Shape<T>;
}

/** The type of the values of a shape. */
export type Value<S> = S extends Shape<infer T, Presence> ? T : never;

const isUndefined = (value: unknown) => value === undefined;

/** The same shape, with a value to use instead of one of that kind. */
function unless(isElse: (value: unknown) => boolean, usual?: unknown) {
  return function (this: Shape<unknown>, instead: unknown = usual) {
    return orElse(this, instead, isElse);
  };
}

/** What all shapes can do. They share it as their prototype: a program makes a thousand shapes before it does anything. */
const WAYS = {
  safeParse(this: Shape<unknown>, value: unknown): Read<unknown> {
    const trouble: Problem = { path: [], message: '' };
    const data = this.read(value, trouble);
    return data === WRONG ? { success: false, error: { issues: [trouble] } } : { success: true, data };
  },
  parse(this: Shape<unknown>, value: unknown): unknown {
    const trouble: Problem = { path: [], message: '' };
    const data = this.read(value, trouble);
    if (data === WRONG) throw new TypeError(`${trouble.path.map(String).join('.') || 'the value'} ${trouble.message}`);
    return data;
  },
  optional: unless(isUndefined),
  nullable: unless((value) => value === null, null),
  default: unless(isUndefined),
  nullish(this: Shape<unknown>) {
    return this.nullable().optional();
  },
  catch(this: Shape<unknown>, instead: unknown) {
    return orElse(this, instead, (value) => this.read(value, { path: [], message: '' }) === WRONG);
  },
};

/** `ways`: from `waysWith`, for a shape that can do more. */
export function shapeOf<T, P extends Presence = 'required'>(made: Structure, read: Shape<T>['read'], ways: object = WAYS): Shape<T, P> {
  const shape = Object.create(ways);
  shape.made = made;
  shape.read = read;
  return shape;
}

export const waysWith = (more: object): object => Object.assign(Object.create(WAYS), more);

/** The inner shape, or a fallback value. */
function orElse<T, P extends Presence = 'required'>(inner: AnyShape, instead: T, isElse: (value: unknown) => boolean): Shape<T, P> {
  return shapeOf({ of: 'else', inner, instead }, (value, trouble) => (isElse(value) ? instead : (inner.read(value, trouble) as T | Wrong)));
}

/** The same shape with one more condition. */
function narrowed<T, S extends Shape<T>>(shape: S, what: string, holds: (value: T) => boolean): S {
  const { made, read } = shape;
  return shapeOf<T>(
    made,
    (value, trouble) => {
      const taken = read(value, trouble);
      return taken === WRONG || holds(taken) ? taken : problem(trouble, `must be ${what}`);
    },
    Object.getPrototypeOf(shape),
  ) as S;
}

/** A shape that one test can check. */
function plain<S extends AnyShape>(of: 'text' | 'number' | 'flag' | 'anything', what: string, is: (value: unknown) => boolean, ways?: object): S {
  return shapeOf({ of }, (value, trouble) => (is(value) ? value : problem(trouble, `must be ${what}`)), ways) as S;
}

export interface TextShape extends Shape<string> {
  min(least: number): TextShape;
  regex(pattern: RegExp): TextShape;
}

const TEXT_WAYS = waysWith({
  min(this: TextShape, least: number) {
    return narrowed(this, `a text of at least ${least} characters`, ({ length }: string) => length >= least);
  },
  regex(this: TextShape, pattern: RegExp) {
    return narrowed(this, `a text like ${pattern}`, (value: string) => pattern.test(value));
  },
});

export interface NumberShape extends Shape<number> {
  int(): NumberShape;
  positive(): NumberShape;
  nonnegative(): NumberShape;
  min(least: number): NumberShape;
}

const bound = (what: string, holds: (value: number) => boolean) =>
  function (this: NumberShape) {
    return narrowed(this, what, holds);
  };

const NUMBER_WAYS = waysWith({
  int: bound('an integer', Number.isSafeInteger),
  positive: bound('positive', (value) => value > 0),
  nonnegative: bound('non-negative', (value) => value >= 0),
  min(this: NumberShape, least: number) {
    return narrowed(this, `at least ${least}`, (value: number) => value >= least);
  },
});

export interface ListShape<T> extends Shape<T[]> {
  min(least: number): ListShape<T>;
  length(wanted: number): ListShape<T>;
}

const LIST_WAYS = waysWith({
  min(this: ListShape<unknown>, least: number) {
    return narrowed(this, `a list of at least ${least}`, ({ length }: unknown[]) => length >= least);
  },
  length(this: ListShape<unknown>, wanted: number) {
    return narrowed(this, `a list of ${wanted}`, ({ length }: unknown[]) => length === wanted);
  },
});

// Shapes are immutable, so one instance is enough.
export const TEXT: TextShape = plain('text', 'a text', (value) => typeof value === 'string', TEXT_WAYS);
export const NUMBER: NumberShape = plain('number', 'a number', Number.isFinite, NUMBER_WAYS);
export const FLAG: Shape<boolean> = plain('flag', 'true or false', (value) => typeof value === 'boolean');
export const ANYTHING: Shape<unknown> = plain('anything', 'anything', () => true);

export function listOf<T>(item: Shape<T>): ListShape<T> {
  return shapeOf<T[]>(
    { of: 'list', item },
    (value, trouble) => {
      if (!Array.isArray(value)) return problem(trouble, 'must be a list');
      const items: T[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const read = item.read(value[index], trouble);
        if (read === WRONG) return problemAt(trouble, index);
        items.push(read);
      }
      return items;
    },
    LIST_WAYS,
  ) as ListShape<T>;
}

export type Atom = string | number | boolean | null;

export function oneValue<const V extends Atom>(wanted: V): Shape<V> {
  return shapeOf({ of: 'words', words: [wanted] }, (value, trouble) => (value === wanted ? wanted : problem(trouble, `must be ${JSON.stringify(wanted)}`)));
}

/** One of several words. */
export interface ChoiceShape<Words extends readonly string[]> extends Shape<Words[number]> {
  readonly options: Words;
}

export function choiceOf<const Words extends readonly string[]>(options: Words): ChoiceShape<Words> {
  const isOne = (value: unknown): value is Words[number] => options.includes(value as string);
  const shape = shapeOf<Words[number]>({ of: 'words', words: options }, (value, trouble) =>
    isOne(value) ? value : problem(trouble, `must be one of ${options.join(', ')}`),
  );
  return Object.assign(shape, { options });
}
