import type { Bus } from '../../engine/ports/supervision.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { openAgentEventMask } from '../../journal/mask-agent-events.ts';
import { maskEvent } from '../../journal/mask-event.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { type HideSecrets, openLinesHider, openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { openMaskStream, type StreamMask } from '../../process/mask-stream.ts';
import { environment } from './environment.ts';

/** Removes secrets from everything that a run writes and prints. */
export interface Mask {
  readonly hide: HideSecrets;
  /** Masks the log of a command. */
  readonly openStream: () => StreamMask;
  /** Masks events of the journal. */
  readonly event: (body: EventBody) => EventBody;
  /** Masks what the agent of an attempt says while it works. */
  readonly told: (attempt: string, event: AgentEvent) => AgentEvent;
}

/** The most attempts whose output is tracked at the same time; there are never so many workers. */
const MOST_ATTEMPTS = 256;

/** `env`: all variables that any process of the run may have, including the operator's own. `more`: secrets that are elsewhere. */
export function openMask(env: Readonly<Record<string, string>>, more: readonly string[] = []): Mask {
  const secrets = [...secretsIn(env), ...more];
  const hide = openSecretHider(secrets);
  const hideLines = openLinesHider(secrets);
  const attempts = new Map<string, (event: AgentEvent) => AgentEvent>();
  return {
    hide,
    openStream: () => openMaskStream(hideLines),
    event: (body) => maskEvent(hide, body),
    told(attempt, event) {
      const mask = attempts.get(attempt) ?? openAgentEventMask(hide);
      if (!attempts.has(attempt)) attempts.set(attempt, mask);
      const [oldest] = attempts.keys();
      if (attempts.size > MOST_ATTEMPTS && oldest !== undefined) attempts.delete(oldest);
      return mask(event);
    },
  };
}

/** Masks what the loop posts to the bus: an agent's messages and the end of its stderr may contain secrets. */
export function maskedBus(bus: Bus, hide: HideSecrets): Bus {
  return { ...bus, post: (message) => bus.post({ ...message, body: hide(message.body) }) };
}

type Environment = Readonly<Record<string, string>>;

/** Shorter values are likely to be ordinary words. */
const SHORTEST_SECRET = 8;
const SECRET_NAME = /(?:key|token|secret|passw(?:or)?d|passphrase|credentials?|cookie|auth)(?:$|[_\d-])|_(?:pass|pwd|pat|pw)$/i;
/** Names of variables that say where a secret is, how it is used or how many there may be. They are not secrets themselves. */
const ABOUT_A_SECRET =
  /_(?:url|uri|file|path|dir|home|sock|host|port|name|user|type|mode|method|limit|ttl|timeout|max|count|enabled|prompt|helper|store)$|^(?:max|num|git_askpass|ssh_askpass|ssh_auth)_/i;
/** Words like `production`, `Bearer`, `TRUE` or `20480000`: masking them would make harmless output unreadable. */
const PLAIN_WORD = /^(?:[A-Z]?[a-z]{1,19}|[A-Z]{1,19}|\d{1,11})$/;
/** Requires an ordinary folder name after the first slash: a secret in base64 may begin with a slash too. */
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\.?[A-Za-z][a-z]{2,}\d*(?:[\\/]|$)|^~[\\/]/;
const PLAIN_URL = /^[a-z][a-z+.-]*:\/\/[^\s@?]*$/i;
const URL_PASSWORD = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/;

/** The secrets in the environment of the current command. */
export function secretsInEnvironment(): readonly string[] {
  return secretsIn(environment());
}

/** The secrets in an environment: the values of variables with secret names, and the passwords in URLs. */
export function secretsIn(env: Environment): readonly string[] {
  const named = Object.entries(env).flatMap(([name, value]) => (isCalledSecret(name) && !isHarmless(value) ? [value] : []));
  const passwords = Object.values(env).flatMap((value) => passwordsIn(value));
  return [...new Set([...named, ...passwords])].filter((value) => value.length >= SHORTEST_SECRET);
}

function isCalledSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !ABOUT_A_SECRET.test(name);
}

function isHarmless(value: string): boolean {
  return PLAIN_WORD.test(value) || PATH.test(value) || PLAIN_URL.test(value);
}

/** The password in the URL, both encoded and decoded. */
function passwordsIn(value: string): readonly string[] {
  const password = URL_PASSWORD.exec(value)?.[1];
  if (password === undefined || isHarmless(password)) return [];
  return [password, unescaped(password)];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
