type Part = 'comment' | 'separator' | 'redirection' | 'redirected' | 'word';

const word = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g;
const parts: readonly (readonly [Part, RegExp])[] = [
  ['comment', /^#/],
  ['separator', /^(?:\|\|?|&&|;|&)$/],
  ['redirection', /^\d?(?:>>?|<)$/],
  ['redirected', /^\d?>/],
];
const partOf = (raw: string): Part => parts.find(([, looks]) => looks.test(raw))?.[0] ?? 'word';

/** A shell line cut into its commands, each into its words: quotes and escapes are resolved, comments and redirections dropped. */
export function shellCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let previous: Part = 'separator';
  for (const [raw] of line.matchAll(word)) {
    const part = partOf(raw);
    if (part === 'comment') break;
    if (part === 'separator') commands.push([]);
    if (part === 'word' && previous !== 'redirection') addWord(commands, raw);
    previous = part;
  }
  return commands.filter((words) => words.length > 0);
}

function addWord(commands: string[][], raw: string): void {
  const endsCommand = raw.endsWith(';');
  commands.at(-1)?.push(unquote(endsCommand ? raw.slice(0, -1) : raw));
  if (endsCommand) commands.push([]);
}

const unquote = (raw: string) =>
  raw.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single?: string, double?: string, escaped?: string) => {
    return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
  });
