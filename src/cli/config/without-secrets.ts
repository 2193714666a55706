import { redact } from '../../kit/pure/redact.ts';

/** A JSON value with the secrets in its texts hidden, and those items of a list that stand after the flag they belong to. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item, at) => (isFlagOfASecret(value[at - 1]) && typeof item === 'string' ? '[redacted]' : withoutSecrets(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withoutSecrets(inside)]));
}

/** Whatever stood after it would be hidden. */
const isFlagOfASecret = (item: unknown) => typeof item === 'string' && item.startsWith('-') && redact(`${item} x`) === `${item} [redacted]`;
