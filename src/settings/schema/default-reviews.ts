/** The reviews of a project that asks for reviews and does not say which. Each agent starts afresh, so each prompt says all it needs. */
export const DEFAULT_REVIEWS = [
  {
    name: 'detailed',
    prompt: reviewOf(
      'line by line: wrong conditions, edge cases that are not handled, errors that are swallowed, promises of names and comments that the code does not keep, and behaviour that no test would miss',
    ),
  },
  {
    name: 'architecture',
    prompt: reviewOf(
      'as a whole: responsibilities in the wrong place, dependencies that point the wrong way, the same knowledge kept twice, and structure that the next change would have to fight',
    ),
  },
  {
    name: 'security',
    prompt: reviewOf(
      'as an attacker would: input that is trusted, commands, queries and paths built from it, secrets in code or logs, rights that are too wide, and resources that anybody can exhaust',
    ),
  },
  {
    name: 'codeHealth',
    prompt: reviewOf(
      'as the person who inherits it: dead code, leftovers of earlier tries, needless complexity, unclear names, duplication, comments and documents that are no longer true',
    ),
  },
] as const;

function reviewOf(how: string): string {
  return `Review the work so far in this repository ${how}. Fix what you find, one small step at a time. Do not add features and do not change behaviour that is right. Run the project's own checks and leave every one of them green. If there is nothing to fix, change nothing.`;
}
