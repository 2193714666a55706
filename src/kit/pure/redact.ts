/** The text that replaces a secret. */
export const HIDDEN = '[redacted]';

/** At least `least` characters of a class. Not `{16,}`, which overflows the stack on a very long text. */
const many = (least: number, of = String.raw`[\w-]`) => `${of}{${least}}${of}*`;

/** Keys that can be recognised by their beginning, and what follows it. */
const KEYS: readonly (readonly [begins: string, follows: string])[] = [
  ['(?:sk|pk|rk)[-_]', many(16)],
  ['(?:gh[oprsu]|github_pat|npm|hf|gsk|sgp|sgamp_user|do[opr]_v1|shp(?:at|ca|pa|ss)|lin_api|whsec|dckr_pat)_', many(20)],
  ['(?:glpat|gldt|glrt|xai|pypi|pplx|sq0[a-z]{3})-', many(20)],
  ['(?:xox[a-z]|xapp)-', many(10)],
  ['(?:AKIA|ASIA)', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['AIza', many(30)],
  [String.raw`ya29\.`, many(20)],
  [String.raw`SG\.`, String.raw`${many(16)}\.${many(16)}`],
  ['eyJ', String.raw`${many(10)}\.${many(10)}\.[\w-]*`],
];

/** A letter before a key makes it part of another word, unless it is the `n` of `\n` in a JSON text. */
const KNOWN_KEYS = new RegExp(String.raw`(?<!(?<!\\)[A-Za-z0-9])(?:${KEYS.map((key) => key.join('')).join('|')})`, 'g');

/** A text without one of these contains nothing to hide, so most lines need only this one test. */
const SUSPICIOUS = new RegExp(
  ['key', 'token', 'secret', 'passw', 'passphrase', 'authorization', 'bearer', '://', ...KEYS.map(([begins]) => begins)].join('|'),
  'i',
);

const SECRET_NAME = '(?:api[-_]?key|access[-_]?key|secret[-_]?key|token|secret|password|passwd|passphrase)';
const VALUE = String.raw`[^\s"'${'`'},;<>(){}[\]$]+`;

/** `--api-key x`, `--token=x`, `"--token", "x"`. A placeholder or another flag does not count as a value. */
const FLAG = new RegExp(String.raw`((?<![\w-])--?[\w-]*?${SECRET_NAME}["']?(?:\s*[=,]\s*|\s+))(?:(\\?["']).*?\2|["']?(?!-)${VALUE})`, 'gi');
/** `API_KEY=x`, `"apiKey": "x"`, `x-api-key: x`. */
const NAMED = new RegExp(String.raw`(${SECRET_NAME})(["']?\s*[:=]\s*["']?)(${VALUE})(\(?)`, 'gi');
/** `?access_token=x`. */
const QUERY = new RegExp(String.raw`([?&][\w-]*?${SECRET_NAME}=)[^\s"'${'`'},;<>(){}[\]$&#]+`, 'gi');
const AUTHORIZATION = new RegExp(String.raw`(authorization["']?\s*[:=]\s*["']?(?:[a-z]{1,20}\s+)?)${VALUE}`, 'gi');
const BEARER = new RegExp(String.raw`\b(bearer\s+)(${many(8, String.raw`[\w.~+/=-]`)})`, 'gi');
const URL_PASSWORD = /(:\/\/[^\s/?#@:"'`<>]*:)[^\s/?#@"'`<>]+(?=@)/g;

/** Replaces everything that looks like a key, a token or a password. Linear in the length of the text. Code, hashes, ids and paths stay. */
export function redact(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return withoutPrivateKeys(text)
    .replaceAll(KNOWN_KEYS, (key) => (looksRandom(key) ? HIDDEN : key))
    .replaceAll(URL_PASSWORD, (_, before: string) => `${before}${HIDDEN}`)
    .replaceAll(QUERY, (_, before: string) => `${before}${HIDDEN}`)
    .replaceAll(AUTHORIZATION, (_, before: string) => `${before}${HIDDEN}`)
    .replaceAll(BEARER, (whole, before: string, value: string) => (looksRandom(value) ? `${before}${HIDDEN}` : whole))
    .replaceAll(FLAG, (_, before: string, quote = '') => `${before}${quote}${HIDDEN}${quote}`)
    .replaceAll(NAMED, (whole, ...parts: readonly string[]) => hideNamed(whole, parts));
}

/** Hides the text between the two PEM markers of a key. A marker that is only mentioned has no line after it. */
function withoutPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY-----')) return text;
  const parts = text.split('-----');
  const isKey = (at: number) => /^BEGIN [A-Z ]*PRIVATE KEY$/.test(parts[at - 1] ?? '') && /^(?:\s|\\[nr])/.test(parts[at] ?? '');
  return parts.map((part, at) => (isKey(at) ? HIDDEN : part)).join('-----');
}

/** Hides a value after a shell variable, a quoted text, or a value too random to be a name; `token = read(…)` is code. */
function hideNamed(whole: string, [name = '', between = '', value = '', call = '']: readonly string[]): string {
  if (call !== '') return whole;
  const isVariable = /^=["']?$/.test(between) && name === name.toUpperCase();
  const isQuoted = /["']$/.test(between) && value.length >= 8 && looksRandom(value);
  const isOdd = value.length >= 20 && /\d.*\d/.test(value) && !value.includes('.');
  return isVariable || isQuoted || isOdd ? `${name}${between}${HIDDEN}` : whole;
}

/** Words have no digits, and capital letters only at their beginning. */
function looksRandom(value: string): boolean {
  return /\d|[a-z][A-Z]/.test(value);
}

const BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\r)?(?:\\n)?["',]*\s*$/;
const END = /-----END [A-Z ]*PRIVATE KEY-----/;
/** Base64, alone on its line or after the prefix of a diff or a log; a header such as `Proc-Type: 4,ENCRYPTED`; or an empty line. */
const KEY_MATERIAL = /^\s*$|^\W*[A-Za-z0-9+/=]+\W*$|(?:^|\W)[A-Za-z0-9+/=]{24}[A-Za-z0-9+/=]*\W*$|^\W*[A-Z][A-Za-z]*-[A-Z][A-Za-z]*: /;
/** The largest keys have fewer lines. */
const MOST_LINES = 400;

/** Hides the lines of private keys in a text that arrives in pieces of complete lines. A PEM key has many lines and may span several pieces. */
export function openKeyLinesHider(): (lines: string) => string {
  let linesLeft = 0;
  return (lines) => {
    if (linesLeft === 0 && !lines.includes('PRIVATE KEY-----')) return lines;
    return lines
      .split(/(?<=\n)/)
      .flatMap((line) => {
        if (linesLeft > 0 && !END.test(line) && KEY_MATERIAL.test(line)) {
          linesLeft -= 1;
          return linesLeft === MOST_LINES - 1 ? [HIDDEN, endOf(line)] : [];
        }
        linesLeft = BEGIN.test(line) ? MOST_LINES : 0;
        return [line];
      })
      .join('');
  };
}

function endOf(line: string): string {
  return /\r?\n?$/.exec(line)?.[0] ?? '';
}
