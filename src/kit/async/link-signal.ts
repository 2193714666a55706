/** A controller that follows a parent signal until it is disposed. Stands in for AbortSignal.any, which leaks on Node 20 (nodejs/node#54614). */
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
