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

export function shapeOf<T, P extends Presence = 'required'>(made: Structure, read: Shape<T>['read']): Shape<T, P> {
  const shape: Shape<T, P> = {
    made,
    read,
    safeParse(value) {
      const trouble: Problem = { path: [], message: '' };
      const data = read(value, trouble);
      return data === WRONG ? { success: false, error: { issues: [trouble] } } : { success: true, data };
    },
    parse(value) {
      const trouble: Problem = { path: [], message: '' };
      const data = read(value, trouble);
      if (data === WRONG) throw new TypeError(`${trouble.path.map(String).join('.') || 'the value'} ${trouble.message}`);
      return data;
    },
    optional: () => orElse<T | undefined, 'optional'>(shape, undefined, (value) => value === undefined),
    nullable: () => orElse<T | null>(shape, null, (value) => value === null),
    nullish: () => shape.nullable().optional(),
    default: (instead) => orElse(shape, instead, (value) => value === undefined),
    catch: (instead) => orElse(shape, instead, (value) => read(value, { path: [], message: '' }) === WRONG),
  };
  return shape;
}

/** The inner shape, or a fallback value. */
function orElse<T, P extends Presence = 'required'>(inner: AnyShape, instead: T, isElse: (value: unknown) => boolean): Shape<T, P> {
  return shapeOf({ of: 'else', inner, instead }, (value, trouble) => (isElse(value) ? instead : (inner.read(value, trouble) as T | Wrong)));
}

/** The same shape with one more condition. */
function narrowed<T>({ made, read }: Shape<T>, what: string, holds: (value: T) => boolean): Shape<T> {
  return shapeOf(made, (value, trouble) => {
    const taken = read(value, trouble);
    return taken === WRONG || holds(taken) ? taken : problem(trouble, `must be ${what}`);
  });
}

/** A shape that one test can check. */
function plain<T>(of: 'text' | 'number' | 'flag' | 'anything', what: string, is: (value: unknown) => boolean): Shape<T> {
  return shapeOf({ of }, (value, trouble) => (is(value) ? (value as T) : problem(trouble, `must be ${what}`)));
}

export interface TextShape extends Shape<string> {
  min(least: number): TextShape;
  regex(pattern: RegExp): TextShape;
}

function text(shape: Shape<string>): TextShape {
  return {
    ...shape,
    min: (least) => text(narrowed(shape, `a text of at least ${least} characters`, ({ length }) => length >= least)),
    regex: (pattern) => text(narrowed(shape, `a text like ${pattern}`, (value) => pattern.test(value))),
  };
}

export interface NumberShape extends Shape<number> {
  int(): NumberShape;
  positive(): NumberShape;
  nonnegative(): NumberShape;
  min(least: number): NumberShape;
}

function number(shape: Shape<number>): NumberShape {
  const bound = (what: string, holds: (value: number) => boolean) => number(narrowed(shape, what, holds));
  return {
    ...shape,
    int: () => bound('an integer', Number.isSafeInteger),
    positive: () => bound('positive', (value) => value > 0),
    nonnegative: () => bound('non-negative', (value) => value >= 0),
    min: (least) => bound(`at least ${least}`, (value) => value >= least),
  };
}

export interface ListShape<T> extends Shape<T[]> {
  min(least: number): ListShape<T>;
  length(wanted: number): ListShape<T>;
}

function list<T>(shape: Shape<T[]>): ListShape<T> {
  return {
    ...shape,
    min: (least) => list(narrowed(shape, `a list of at least ${least}`, ({ length }) => length >= least)),
    length: (wanted) => list(narrowed(shape, `a list of ${wanted}`, ({ length }) => length === wanted)),
  };
}

// Shapes are immutable, so one instance is enough.
export const TEXT = text(plain('text', 'a text', (value) => typeof value === 'string'));
export const NUMBER = number(plain('number', 'a number', Number.isFinite));
export const FLAG = plain<boolean>('flag', 'true or false', (value) => typeof value === 'boolean');
export const ANYTHING = plain<unknown>('anything', 'anything', () => true);

export function listOf<T>(item: Shape<T>): ListShape<T> {
  return list(
    shapeOf({ of: 'list', item }, (value, trouble) => {
      if (!Array.isArray(value)) return problem(trouble, 'must be a list');
      const items: T[] = [];
      for (let index = 0; index < value.length; index += 1) {
        const read = item.read(value[index], trouble);
        if (read === WRONG) return problemAt(trouble, index);
        items.push(read);
      }
      return items;
    }),
  );
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
  return { ...shape, options };
}
