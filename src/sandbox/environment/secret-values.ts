type Environment = Readonly<Record<string, string>>;

/** Shorter values are words that stand in any text. */
const SHORTEST_SECRET = 8;
const SECRET_NAME = /(?:key|token|secret|passw(?:or)?d|passphrase|credentials?|cookie|auth)(?:$|[_\d-])|_(?:pass|pwd|pat|pw)$/i;
/** What says where a secret is, how it is used, or how many there may be, is none itself. */
const ABOUT_A_SECRET =
  /_(?:url|uri|file|path|dir|home|sock|host|port|name|user|type|mode|method|limit|ttl|timeout|max|count|enabled|prompt|helper|store)$|^(?:max|num|git_askpass|ssh_askpass|ssh_auth)_/i;
/** `production`, `Bearer`, `TRUE`, `20480000`: masked, they would make riddles of harmless output. */
const PLAIN_WORD = /^(?:[A-Z]?[a-z]{1,19}|[A-Z]{1,19}|\d{1,11})$/;
/** Begins at a root, and with a name as folders have: a secret in base64 may begin with a slash too. */
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\.?[A-Za-z][a-z]{2,}\d*(?:[\\/]|$)|^~[\\/]/;
const PLAIN_URL = /^[a-z][a-z+.-]*:\/\/[^\s@?]*$/i;
const URL_PASSWORD = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/;

/** What nobody should read of an environment: the values of variables that are called secrets, and the passwords in addresses. */
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

/** As it stands in the address, and as it is typed. */
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
