import * as z from 'zod';

type Schema = Readonly<Record<string, unknown>>;

/** Values of a schema that between them have every field, and every alternative of each. A text says where it stands. */
export function samplesOf(schema: z.ZodType): readonly unknown[] {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema;
  return samples(root, root, '');
}

function samples(schema: Schema, root: Schema, at: string): readonly unknown[] {
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (alternatives) return alternatives.flatMap((each) => samples(each, root, at));
  if (typeof schema['$ref'] === 'string') return samples(atPointer(root, schema['$ref']), root, at);
  if (Array.isArray(schema['type'])) return schema['type'].flatMap((type) => samples({ ...schema, type }, root, at));
  if ('const' in schema) return [schema['const']];
  if (Array.isArray(schema['enum'])) return [schema['enum'][0]];
  switch (schema['type']) {
    case 'object':
      return objects(schema, root, at);
    case 'array':
      return [samples((schema['items'] ?? {}) as Schema, root, `${at}[]`)];
    case 'string':
      return [schema['pattern'] ? 'INFO' : `text of ${at}`];
    case 'number':
    case 'integer':
      return [2];
    case 'boolean':
      return [true];
    default:
      return [null];
  }
}

/** The nth object has the nth alternative of each of its fields, or the last there is. */
function objects(schema: Schema, root: Schema, at: string): readonly unknown[] {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const values = fields.map(([name, field]) => [name, samples(field, root, at === '' ? name : `${at}.${name}`)] as const);
  const count = Math.max(1, ...values.map(([, each]) => each.length));
  return Array.from({ length: count }, (_, nth) => Object.fromEntries(values.map(([name, each]) => [name, each[Math.min(nth, each.length - 1)]])));
}

function atPointer(root: Schema, pointer: string): Schema {
  return pointer
    .slice(2)
    .split('/')
    .reduce((schema, name) => schema[name] as Schema, root);
}
