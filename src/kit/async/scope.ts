/** A stack of things to undo when the block that opened it is left. Undone in reverse; every one is tried, the first error is thrown. */
export interface Scope extends AsyncDisposable {
  defer(undo: () => unknown): void;
}

/** AsyncDisposableStack is not in Node 20. */
export function openScope(): Scope {
  const undos: (() => unknown)[] = [];
  return {
    defer: (undo) => undos.push(undo),
    async [Symbol.asyncDispose]() {
      const errors: unknown[] = [];
      for (const undo of undos.splice(0).reverse()) {
        try {
          await undo();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
