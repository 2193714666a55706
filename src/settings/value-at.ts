/** What a JSON value has at a path of keys; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let inside = value;
  for (const key of path) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, key)) return undefined;
    inside = Reflect.get(inside, key);
  }
  return inside;
}
