/** A stack of clean-ups that run in reverse when the block ends. All of them run, even after an error; the first error is thrown. */
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

/** A controller that follows a parent signal until it is disposed. Replaces AbortSignal.any, which leaks on Node 20 (nodejs/node#54614). */
export function linkSignal(parent: AbortSignal): { readonly signal: AbortSignal; abort(reason: unknown): void } & Disposable {
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => parent.removeEventListener('abort', follow),
  };
}
