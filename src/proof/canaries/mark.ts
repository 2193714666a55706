import { append, type Bed, type Plant, splitWord } from './plant.ts';

/** What other files import from this one: without it they fail. */
const GIVES = /^\s*export\b|\bmodule\.exports\b|\bexports\.\w|^def (?!test)\w|^class /m;

/**
 * A plant that only reports that it ran and lets the rest continue: if a home-made runner stops at its first failure, one run still shows all files.
 * `isWhole`: it replaces the rest of the file, since a test that is red anyway also stops such a runner.
 */
export function markIn({ path, text, token }: Bed, isWhole: boolean): Plant | null {
  const word = splitWord(token());
  const name = `ralph_${token()}`;
  const lines = path.endsWith('.py')
    ? [`import sys as ${name}`, `${name}.stdout.write('${word.first}' + '${word.second}\\n')`, `${name}.stderr.write('${word.first}' + '${word.second}\\n')`]
    : /\.[cm]?[jt]sx?$/.test(path)
      ? [`for (const ${name} of ['log', 'error']) console[${name}](['${word.first}', '${word.second}'].join(''));`]
      : null;
  if (lines === null) return null;
  return { path, text: isWhole && !GIVES.test(text) ? append('', lines) : append(text, lines), tokens: [word.whole], cases: 0 };
}
