export interface FailureHolder {
  /** Does the work unless an earlier one has failed. */
  run(work: () => void): void;
  rethrow(): void;
}

/** Keeps the first failure of a callback until everything is cleaned up; `onFailure` hears of it at once. */
export function holdFailure(onFailure: () => void): FailureHolder {
  let held: { readonly error: unknown } | null = null;
  return {
    run(work) {
      if (held !== null) return;
      try {
        work();
      } catch (error) {
        held = { error };
        onFailure();
      }
    },
    rethrow() {
      if (held !== null) throw held.error;
    },
  };
}
