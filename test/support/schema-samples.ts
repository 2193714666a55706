import type { AnyShape } from '../../src/kit/pure/shape-of-one.ts';

/** Values of a shape that between them have every field, and every alternative of each. A text says where it stands. */
export function samplesOf(shape: AnyShape, at = ''): readonly unknown[] {
  const { made } = shape;
  switch (made.of) {
    case 'one':
      return made.options.flatMap((each) => samplesOf(each, at));
    case 'else':
      return [...samplesOf(made.inner, at), ...(made.instead === null ? [null] : [])];
    case 'words':
      return made.words.slice(0, 1);
    case 'fields':
      return objects(made.fields, at);
    case 'list':
      return [samplesOf(made.item, `${at}[]`)];
    case 'names':
      return [{}];
    case 'text':
      return [`text of ${at}`, 'INFO'].filter((text) => shape.safeParse(text).success).slice(0, 1);
    case 'number':
      return [2];
    case 'flag':
      return [true];
    case 'anything':
      return [null];
  }
}

/** The nth object has the nth alternative of each of its fields, or the last there is. */
function objects(fields: Readonly<Record<string, AnyShape>>, at: string): readonly unknown[] {
  const values = Object.entries(fields).map(([name, field]) => [name, samplesOf(field, at === '' ? name : `${at}.${name}`)] as const);
  const count = Math.max(1, ...values.map(([, each]) => each.length));
  return Array.from({ length: count }, (_, nth) => Object.fromEntries(values.map(([name, each]) => [name, each[Math.min(nth, each.length - 1)]])));
}
