const USUAL = 200_000;
const LARGE = 1_000_000;

interface KnownOfWindow {
  /** `CLAUDE_CONTEXT_WINDOW`. */
  readonly said: string | undefined;
  /** What the model is called, by whoever knows: only the one who asked for it adds `[1m]`. */
  readonly models: readonly (string | null | undefined)[];
  /** Tokens that were counted in one request; null: nobody did. */
  readonly counted: number | null;
}

/** How many tokens fit into the agent's window. What was counted is proof: a window that held more is the larger one. */
export function contextWindow({ said, models, counted }: KnownOfWindow): number {
  const own = positiveNumber(said);
  if (own !== null) return own;
  const isLarge = models.some((model) => model?.toLowerCase().includes('[1m]')) || (counted ?? 0) > USUAL;
  return isLarge ? LARGE : USUAL;
}

/** What is empty, no number or not above zero says nothing. */
export function positiveNumber(text: string | undefined): number | null {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && number > 0 ? number : null;
}
