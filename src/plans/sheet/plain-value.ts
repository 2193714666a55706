const NULL = /^(?:~|[Nn]ull|NULL)?$/;
const TRUE = /^(?:[Tt]rue|TRUE)$/;
const FALSE = /^(?:[Ff]alse|FALSE)$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** Notations of numbers that plans do not use. */
const RARE = /^(?:0[ox]|[-+]?\.(?:inf|nan)$)/i;

/** The value of an unquoted word in YAML 1.2; undefined for words that the library should read. */
export function plainValue(word: string): string | number | boolean | null | undefined {
  const first = word.charCodeAt(0);
  // A word with any other first letter is text, and most words have one.
  if (first > 0x39 && !/^[fntFNT~]/.test(word)) return word;
  if (NULL.test(word)) return null;
  if (TRUE.test(word)) return true;
  if (FALSE.test(word)) return false;
  if (NUMBER.test(word)) return Number(word);
  return RARE.test(word) ? undefined : word;
}
