/** What opens the doors of each vendor of models. Only what is a key: addresses, profiles and other settings harm nobody. */
const KEYS = {
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  openai: ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'CODEX_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  perplexity: ['PERPLEXITY_API_KEY'],
  xai: ['XAI_API_KEY'],
  amp: ['AMP_API_KEY'],
} as const;

type Vendor = keyof typeof KEYS;

/** The agents that have one vendor. The others may ask any. */
const VENDOR_OF: ReadonlyMap<string, Vendor> = new Map([
  ['claude', 'anthropic'],
  ['codex', 'openai'],
  ['gemini', 'google'],
  ['amp', 'amp'],
]);

/** The variables that an agent of that kind has no use for, and that nobody should be able to talk it into telling. */
export function keysOfOtherVendors(agentKind: string): readonly string[] {
  const own = VENDOR_OF.get(agentKind);
  if (own === undefined) return [];
  return Object.entries(KEYS).flatMap(([vendor, keys]) => (vendor === own ? [] : keys));
}
