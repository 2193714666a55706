import type { Language } from '../step.ts';
import { unescaped } from './decode.ts';

/** Functions that pass a text to a shell, or arguments to the system. */
const RUNS =
  /\b(system|popen\w*|subprocess|check_output|check_call|exec[lv]?[pe]*|execSync|execFile\w*|spawn\w*|child_process|shell_exec|passthru|proc_open|pty|Open3|qx|getline|do shell script|Bun\.\$|Deno\.Command|IO\.popen|fork)\b|`|\|\s*"|%x/;

/** Whether code in another language runs commands. */
export const runsCommands = (code: string): boolean => RUNS.test(code);

const STRINGS = /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`|(?:%x|qx)[{(/]([^})/]*)[})/]/g;

/** The most texts that are looked at; a one-liner has fewer. */
const MOST_STRINGS = 400;

/** The expressions for the home in any of these languages. */
const HOME = /homedir\s*\(|\bHOME\b|Path\.home|Dir\.home|expanduser|expand_path|USERPROFILE|\bhome\(\)/;
export const namesHome = (code: string): boolean => HOME.test(code);

/** A string literal in code, with its position. */
export interface CodeText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The string literals in code, with the home written as a shell writes it. */
export function textsIn(code: string, language: Language): readonly CodeText[] {
  const texts: CodeText[] = [];
  for (const found of code.matchAll(STRINGS)) {
    if (texts.length > MOST_STRINGS) break;
    texts.push({ text: withHome(textOf(found, language)), from: found.index, to: found.index + found[0].length });
  }
  return texts;
}

const withHome = (text: string) => text.replaceAll(/[$#]?(?:ENV)?\{[^{}]*\}/g, (hole) => (HOME.test(hole) ? '~' : hole)).replace(/\$HOME\b/g, '~');

/** The command lines in the string literals of code. Lists of words and concatenated texts are joined. Finds too many rather than too few. */
export function commandLines(code: string, language: Language): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let end = -1;
  let parts = 0;
  const close = () => {
    const tail = end === -1 ? '' : code.slice(end, end + LONGEST_TAIL);
    const isEndingAtHome = /^\s*[+.]/.test(tail) && HOME.test(tail);
    if (parts > 1 || isEndingAtHome) lines.push(isEndingAtHome ? `${line}~` : line);
  };
  for (const { text, from, to } of textsIn(code, language)) {
    lines.push(text);
    const glue = end === -1 ? null : glueOf(code.slice(end, Math.min(from, end + LONGEST_GLUE)));
    if (glue === null) close();
    line = glue === null ? text : `${line}${glue}${text}`;
    parts = glue === null ? 1 : parts + 1;
    end = to;
  }
  close();
  return lines;
}

const LONGEST_GLUE = 8;
const LONGEST_TAIL = 60;

/** The separator that joins two neighbouring texts: a space for a list, nothing for a concatenation; null when they do not belong together. */
function glueOf(between: string): string | null {
  if (/^\s*,\s*\[?\s*$/.test(between)) return ' ';
  return /^\s*[+.]?\s*$/.test(between) ? '' : null;
}

function textOf([, double, single, back, quoted]: readonly (string | undefined)[], language: Language): string {
  const text = double ?? single ?? back ?? quoted ?? '';
  return double !== undefined || language === 'php' || language === 'awk' ? unescaped(text) : text;
}
