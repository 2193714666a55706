import { type Bed, digestOf, hideComments, type Probe, splitWord } from './plant.ts';

/** The most probes in one file. */
const MOST_PROBES = 60;

interface Probed {
  readonly text: string;
  readonly probes: readonly Probe[];
}

/**
 * For a gate that only compiles: whether each call of something imported from a file of the project still has a type. Each is written twice, once as if it had
 * a type that nothing has. The compiler then names that type, unless the call is `any`, `never`, or whatever its caller asks for. Null without such a call.
 */
export function typeProbesIn({ path, text, token }: Pick<Bed, 'path' | 'text' | 'token'>): Probed | null {
  const found = /\.[cm]?tsx?$/.test(path) ? callsIn(text) : [];
  if (found.length === 0) return null;
  const word = token();
  const { first, second } = splitWord(word);
  const seen = new Map<string, number>();
  const probes = found.map(({ said }, at): Probe => {
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    return { key: digestOf(`${said}#${count}`), token: `${word}x${at}x` };
  });
  const asking = found.reduceRight((rest, { from, to }, at) => {
    const call = text.slice(from, to);
    const type = `{ [K in \`\${'${first}'}\${'${second}'}x${at}x\`]: 1 }`;
    return `${rest.slice(0, from)}(${call} satisfies ${type}, ${call})${rest.slice(to)}`;
  }, text);
  return { text: asking, probes };
}

interface Call {
  readonly from: number;
  readonly to: number;
  readonly said: string;
}

function callsIn(text: string): readonly Call[] {
  const plain = hideComments(text);
  const names = importedIn(plain);
  if (names.length === 0) return [];
  const calls: Call[] = [];
  for (const match of plain.matchAll(new RegExp(`(?<![\\w$.@'"\`])(?:new[ \\t]+)?(?:${names.join('|')})(?:<[^<>()]*>)?\\(`, 'g'))) {
    const to = closingOf(plain, match.index + match[0].length);
    const line = plain.lastIndexOf('\n', match.index) + 1;
    // At the start of a line it may belong to the line before.
    const isInside = plain.slice(line, match.index).trim() !== '';
    if (to === null || !isInside || match.index < (calls.at(-1)?.to ?? 0)) continue;
    const end = plain.indexOf('\n', to);
    calls.push({ from: match.index, to, said: text.slice(line, end === -1 ? text.length : end).trim() });
  }
  return calls.slice(0, MOST_PROBES);
}

const IMPORT = /^[ \t]*import[ \t]+(?!type\b)([^'";]+?)\s*from\s*['"]\.[^'"\n]*['"]/gm;

/** The names by which the file calls what it imports from files beside it, as parts of a regular expression. */
function importedIn(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, clause = '']) => {
    const space = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
    if (space !== undefined) return [`${escaped(space)}\\.[\\w$]+`];
    const [, whole = '', named = ''] = /^([\w$]*)\s*,?\s*(?:\{([^}]*)\})?/.exec(clause.trim()) ?? [];
    const locals = named.split(',').map((each) => (/^\s*type\s/.test(each) ? '' : (/([\w$]+)\s*$/.exec(each)?.[1] ?? '')));
    return [whole, ...locals].filter((name) => name !== '').map(escaped);
  });
}

const escaped = (name: string) => name.replaceAll('$', '\\$');

const MOST_CHARS = 500;
const PIECE = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[\s\S]/g;

/** The position behind the bracket that closes the call; null if that is not clear. */
function closingOf(text: string, from: number): number | null {
  let open = 1;
  for (const { 0: piece, index } of text.slice(from, from + MOST_CHARS).matchAll(PIECE)) {
    if (/^[/`]$/.test(piece)) return null;
    if (/^[([{]$/.test(piece)) open += 1;
    if (/^[)\]}]$/.test(piece)) open -= 1;
    if (open === 0) return from + index + 1;
  }
  return null;
}
