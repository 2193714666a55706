const LONGEST = 200;

/** Why a name cannot be one; null when it can. It is shown to people, written into lines of logs, and given to commands as a word. */
export function whyNoId(id: string): string | null {
  if (id.trim() === '') return 'an id must not be empty';
  if (id !== id.trim()) return `the id ${JSON.stringify(id)} has spaces at an end`;
  if (id.length > LONGEST) return `the id "${id.slice(0, 40)}…" has ${id.length} characters: ${LONGEST} are the most`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(id)) return `the id ${JSON.stringify(id)} has characters that cannot be seen`;
  if (id.startsWith('-')) return `the id "${id}" begins with a dash: commands would take it for an option`;
  return null;
}
