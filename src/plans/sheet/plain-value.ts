const NULL = /^(?:~|[Nn]ull|NULL)?$/;
const TRUE = /^(?:[Tt]rue|TRUE)$/;
const FALSE = /^(?:[Ff]alse|FALSE)$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** Numbers that are written unlike any in a plan. */
const RARE = /^(?:0[ox]|[-+]?\.(?:inf|nan)$)/i;

/** What a word without quotes means in YAML 1.2; undefined for what is better left to the library. */
export function plainValue(word: string): string | number | boolean | null | undefined {
  const first = word.charCodeAt(0);
  // No word that begins with another letter is anything but a text, and most of them do.
  if (first > 0x39 && !/^[fntFNT~]/.test(word)) return word;
  if (NULL.test(word)) return null;
  if (TRUE.test(word)) return true;
  if (FALSE.test(word)) return false;
  if (NUMBER.test(word)) return Number(word);
  return RARE.test(word) ? undefined : word;
}
