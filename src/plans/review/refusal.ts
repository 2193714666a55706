/** Which check of the stop hook says it. */
export type Check = 'schema' | 'integrity' | 'transition';

/** One line that says what was wrong, and what to do instead. */
export interface Refusal {
  readonly check: Check;
  readonly text: string;
}

export function refusals(check: Check, texts: readonly string[]): readonly Refusal[] {
  return texts.map((text) => ({ check, text }));
}

const PREFIXES = {
  schema: 'Task list validation failed: ',
  integrity: 'Review integrity check failed: ',
  transition: 'Transition validation failed: ',
} as const satisfies Record<Check, string>;

/** As agents are told it when they want to stop. */
export function withPrefix({ check, text }: Refusal): string {
  return PREFIXES[check] + text;
}
