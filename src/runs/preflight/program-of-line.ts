/** Builtins and reserved words of the usual shells. None of them is searched in PATH. */
const BUILTINS: ReadonlySet<string> = new Set(
  [
    '. : [ [[ ! { } alias bg bind break builtin caller case cd chdir command compgen complete compopt continue coproc declare dirs disown do done echo elif else',
    'enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read',
    'readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while',
  ]
    .join(' ')
    .split(' '),
);

const ASSIGNMENT = /^\s*(?<name>[A-Za-z_]\w*)=[\w./:,@%+-]*\s+/;
const WORD = /^\s*(?<word>[A-Za-z0-9_.+-]+)(?=\s|$|[;&|])(?!\s*\()/;

/**
 * The program that a command line runs first and that the shell looks for in PATH. Null in every doubtful case: a builtin, a path (an agent may create it),
 * quotes, variables, functions, a PATH of its own, and `a || b`, where the gate may be green without `a`.
 */
export function programOfLine(line: string): string | null {
  if (line.includes('||')) return null;
  let rest = line;
  for (;;) {
    const name = ASSIGNMENT.exec(rest)?.groups?.['name'];
    if (name === undefined) break;
    if (name === 'PATH') return null;
    rest = rest.replace(ASSIGNMENT, '');
  }
  const word = WORD.exec(rest)?.groups?.['word'] ?? null;
  return word === null || BUILTINS.has(word) ? null : word;
}
