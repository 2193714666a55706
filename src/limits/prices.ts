import type { Price } from '../settings/schema/price.ts';

/** The month in which the table below was gathered, mostly from reports about the vendors' price lists: it is an estimate, and yours win. */
export const LIST_PRICES_OF = 'November 2026';

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Price => ({ input, cacheRead, cacheWrite, output });

/**
 * List prices of a million tokens in US dollars, for agents that tell their tokens and not their cost. Prices in the settings win. Promotions are left out,
 * and so are the higher prices of very long prompts: Ralph sees the tokens of an attempt, not those of a request.
 */
const LIST_PRICES: Readonly<Record<string, Price>> = {
  // The vendor's own list: platform.claude.com/docs/en/about-claude/pricing
  'claude-fable-5*': price(10, 50, 1, 12.5),
  'claude-opus-5-5*': price(4, 20, 0.2, 5),
  'claude-opus-5*': price(5, 25, 0.5, 6.25),
  'claude-opus-4*': price(5, 25, 0.5, 6.25),
  'claude-sonnet-5*': price(2, 10, 0.2, 2.5),
  'claude-sonnet-4*': price(3, 15, 0.3, 3.75),
  'claude-haiku-4*': price(1, 5, 0.1, 1.25),
  // The vendor's own list: developers.openai.com/api/docs/pricing. What a cache write costs is assumed where nobody says it.
  'gpt-6-astra*': price(10, 50, 1, 12.5),
  'gpt-6.1-sol*': price(2, 10, 0.1, 2.5),
  'gpt-6-sol*': price(2, 10, 0.2, 2.5),
  'gpt-6-luna*': price(0.1, 0.5, 0.01, 0.125),
  'gpt-5.6-sol*': price(5, 30, 0.5, 6.25),
  'gpt-5.6-terra*': price(2, 12, 0.2, 2.5),
  'gpt-5.6-luna*': price(0.2, 1.2, 0.02, 0.25),
  'gpt-5.5-pro*': price(30, 180, 30),
  'gpt-5.5*': price(5, 30, 0.5),
  'gpt-5.4-pro*': price(30, 180, 30),
  'gpt-5.4-mini*': price(0.75, 4.5, 0.075),
  'gpt-5.4*': price(2.5, 15, 0.25),
  'gpt-5.3-codex*': price(1.75, 14, 0.175),
  // The vendor's own list: ai.google.dev/gemini-api/docs/pricing
  'gemini-3.8-flash*': price(1.5, 7.5, 0.15),
  'gemini-3.5-flash*': price(1.5, 9, 0.15),
  'gemini-3.1-pro*': price(2, 12, 0.2),
  'gemini-2.5-pro*': price(1.25, 10, 0.125),
};

/** For a model of the vendor that the table lacks, or that nobody named: as dear as the dearest model that its agent uses by itself. */
const UNKNOWN_MODELS: Readonly<Record<string, Price>> = {
  claude: price(10, 50, 1, 12.5),
  codex: price(5, 30, 0.5, 6.25),
  gemini: price(4, 18, 0.4),
};

interface Priced {
  /** Null: nobody has named it. */
  readonly model: string | null;
  /** The kind of the agent. */
  readonly kind: string;
}

/** The operator's price, else the list price, else the one for unknown models of the agent's vendor. Null: the agent has no vendor. */
export function priceFor({ model, kind }: Priced, own: Readonly<Record<string, Price>>): Price | null {
  const known = priceOf(model ?? '', own) ?? priceOf(model ?? '', LIST_PRICES);
  return known ?? (Object.hasOwn(UNKNOWN_MODELS, kind) ? (UNKNOWN_MODELS[kind] ?? null) : null);
}

/** Whether an agent tells only its tokens, and the operator has named no price for its model. */
export function isListPriced({ model, kind }: Priced, own: Readonly<Record<string, Price>>): boolean {
  return TELLS_TOKENS.has(kind) && priceOf(model ?? '', own) === null && priceFor({ model, kind }, own) !== null;
}

/** The kinds of agents that tell their tokens, and not their cost. */
export const TELLS_TOKENS: ReadonlySet<string> = new Set(['codex', 'gemini', 'amp', 'stream-json']);

/** An exact name wins, then the longest name that ends in `*` and fits the beginning of the model's. */
export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  if (Object.hasOwn(prices, model)) return prices[model] ?? null;
  const fitting = Object.keys(prices).filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (prices[longest] ?? null);
}

interface Tokens {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
}

const MILLION = 1_000_000;

/**
 * What a commit message takes, which an agent writes as plain text and without telling its tokens: about three requests, each with the agent's own instructions
 * from the cache, a look at the changes, and a few words.
 */
const MESSAGE: Tokens = { input: 5_000, cache_read: 50_000, cache_write: 0, output: 500 };

export const messageCostUsd = (of: Price): number => estimatedCostUsd(MESSAGE, of);

/** The instructions and tools of an agent, which are part of each of its requests; and how many characters make a token of code and prose. */
const OWN_TOKENS = 16_000;
const TOKEN_CHARS = 4;

interface Seen {
  readonly promptChars: number;
  readonly saidChars: number;
  readonly heardChars: number;
  readonly tools: number;
}

/**
 * What an attempt has cost that would have told its tokens only at its end, and was ended before: all that was seen of it is new once, and from the cache in every
 * later request, of which there is one after each call of a tool.
 */
export function seenCostUsd({ promptChars, saidChars, heardChars, tools }: Seen, of: Price): number {
  const [begin, output, heard] = [OWN_TOKENS + promptChars / TOKEN_CHARS, saidChars / TOKEN_CHARS, heardChars / TOKEN_CHARS];
  return estimatedCostUsd({ input: begin + output + heard, cache_read: tools * (begin + (output + heard) / 2), cache_write: 0, output }, of);
}

export function estimatedCostUsd({ input, cache_read, cache_write, output }: Tokens, of: Price): number {
  return (input * of.input + cache_read * of.cacheRead + cache_write * of.cacheWrite + output * of.output) / MILLION;
}
