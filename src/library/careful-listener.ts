/** A caller's own listener, who must not be able to break the run: one that throws is told nothing more. */
export function carefulListener<Event>(by: string, onEvent: ((event: Event) => void) | null | undefined): (event: Event) => void {
  let listener = onEvent ?? null;
  return (event) => {
    try {
      listener?.(event);
    } catch (error) {
      listener = null;
      process.emitWarning(`onEvent of ${by} threw, and is told nothing more: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
