import { absolute, baseName } from '../paths.ts';
import { type Code, type Language, NOTHING, textStream } from '../step.ts';
import type { Around, Shell } from './shell.ts';

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'mksh', 'rbash', 'csh', 'tcsh', 'pwsh']);
const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/^(python|pypy)[\d.]*$/, 'python'],
  [/^(node|nodejs|bun|deno|tsx|ts-node|qjs)$/, 'node'],
  [/^perl[\d.]*$/, 'perl'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
  [/^(g|m|n)?awk$/, 'awk'],
];

const isShell = (name: string): boolean => SHELLS.has(name);

function languageOf(name: string): Language | null {
  if (isShell(name)) return 'sh';
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The code that a command runs, and its arguments. */
export interface Running {
  readonly code: Code;
  readonly args: readonly string[];
  /** True when it runs in its own shell, so that its variables are gone afterwards. */
  readonly isApart: boolean;
  /** The script as it is called, and its path; null when the code is not in a file. */
  readonly script: { readonly called: string; readonly path: string } | null;
  /** Its `$0`; null: that of the shell. */
  readonly called: string | null;
}

interface Called {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** The code a command runs; null when it runs none, or a file that we cannot read. */
export function codeOf({ name, program, args }: Called, shell: Shell, around: Around): Running | null {
  const [first = '', ...rest] = args;
  if (name === 'eval') return { ...argument('sh', args.join(' '), []), isApart: false };
  if (name === 'trap') return rest.length > 0 && !first.startsWith('-') ? argument('sh', first, []) : null;
  if (name === 'source' || name === '.') return here(fileCode(first, 'sh', { args: rest, shell, around }));
  const language = languageOf(name);
  if (language === null) return program.includes('/') ? fileCode(program, null, { args, shell, around }) : null;
  if (language === 'sh') return shellCode(args, shell, around);
  return language === 'awk' ? awkCode(args) : interpreted(language, args, { shell, around });
}

const here = (running: Running | null) => running && { ...running, isApart: false };

const argument = (language: Language, text: string, args: readonly string[]): Running => ({
  code: { language, stream: textStream(text), by: 'argument', isOnDisk: false },
  args,
  isApart: true,
  script: null,
  called: null,
});

const fromInput = (language: Language, { input }: Around): Running | null =>
  input === null ? null : { code: { language, stream: input, by: 'stdin', isOnDisk: false }, args: [], isApart: true, script: null, called: null };

/** `-c`: the code, its `$0`, and its arguments. */
function commandLine(args: readonly string[]): Running {
  const [text = '', called = null, ...rest] = args.filter((each, index) => index > 0 || !/^-[a-z]$|^--$/.test(each));
  return { ...argument('sh', text, rest), called };
}

function shellCode(args: readonly string[], shell: Shell, around: Around): Running | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(word)) return commandLine(args.slice(at + 1));
    if (/^-[a-z]*s$/.test(word) || word === '-') return fromInput('sh', around);
    if (/^([-+][oO]|--(rcfile|init-file))$/.test(word)) at += 1;
    else if (!/^[-+]/.test(word)) return fileCode(word, 'sh', { args: args.slice(at + 1), shell, around });
  }
  return fromInput('sh', around);
}

interface Given {
  readonly args: readonly string[];
  readonly shell: Shell;
  readonly around: Around;
}

/** The code in a file that this line wrote, or that exists already. */
function fileCode(path: string, language: Language | null, { args, shell, around }: Given): Running | null {
  if (path === '/dev/stdin' || path === '/proc/self/fd/0') return fromInput(language ?? 'sh', around);
  const where = absolute(path, { cwd: around.scope.cwd, home: shell.place.home });
  const found = fileStream(where, shell, around);
  const spoken = found === null ? null : (language ?? byShebang(found.stream.text, path));
  if (found === null || spoken === null) return null;
  return { code: { language: spoken, by: 'file', ...found }, args, isApart: true, script: { called: path, path: where }, called: path };
}

function fileStream(where: string, shell: Shell, { scope, calling, isInFile }: Around): Pick<Code, 'stream' | 'isOnDisk'> | null {
  // A script that is already being walked is not walked again.
  if (calling.includes(where)) return { stream: NOTHING, isOnDisk: false };
  const own = scope.files.get(where);
  if (own !== undefined) return { stream: own, isOnDisk: false };
  const lying = isInFile ? null : (shell.place.scripts?.(where) ?? null);
  return lying === null ? null : { stream: textStream(lying), isOnDisk: true };
}

function byShebang(text: string | null, path: string): Language | null {
  const line = /^#!\s*(\S+)(?:\s+(?:-\S+\s+)*(\S+))?/.exec(text ?? '');
  if (line === null) return /\.(sh|bash)$/.test(path) || !baseName(path).includes('.') || text === null ? 'sh' : null;
  const [, program = '', next = ''] = line;
  return languageOf(baseName(baseName(program) === 'env' ? next : program));
}

/** The options that are followed by code. */
const CODE_OPTIONS: Readonly<Record<Exclude<Language, 'sh' | 'awk'>, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  node: /^(-[pi]*e|-p|-pe|--eval|--print|eval)$/,
  perl: /^-[a-zA-Z0-9]*[eE]$/,
  ruby: /^-[a-zA-Z]*e$/,
  php: /^-[rBRE]$/,
};

function interpreted(language: Exclude<Language, 'sh' | 'awk'>, args: readonly string[], { shell, around }: Omit<Given, 'args'>): Running | null {
  const at = args.findIndex((word) => CODE_OPTIONS[language].test(word));
  const file = args.findIndex((word) => !word.startsWith('-') && word !== 'run' && word !== 'eval');
  if (at !== -1 && (file === -1 || at < file)) return argument(language, args[at + 1] ?? '', args.slice(at + 2));
  const glued = language === 'python' ? args.find((word) => /^-c./.test(word)) : undefined;
  if (glued !== undefined) return argument(language, glued.slice(2), []);
  if (args.some((word) => word === '-m' || /^--?(version|v|V|h|help|check)$/.test(word))) return null;
  if (file === -1 || args.includes('-')) return fromInput(language, around);
  return fileCode(args[file] ?? '', language, { args: args.slice(file + 1), shell, around });
}

function awkCode(args: readonly string[]): Running | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (/^-[Fv]$/.test(word)) at += 1;
    else if (/^-(f|-file)/.test(word)) return null;
    else if (!word.startsWith('-')) return argument('awk', word, []);
  }
  return null;
}
