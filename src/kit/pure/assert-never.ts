/** Closes a switch: a new member of the union is a compile error here, and at run time a bug. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
