/** The agent's own words, beside the reason that Ralph gives; null: it said nothing, or the reason has them already. */
export function agentSaid(said: string | null | undefined, why: string): string | null {
  return !said || why.includes(said) ? null : `The agent said: "${said}"`;
}

/** Why a claim is held, for a place that says "held" already. */
export const heldWhy = (why: string) => why.replace(/^Held: /, '');
