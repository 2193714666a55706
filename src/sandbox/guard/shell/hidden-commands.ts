import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { absolute } from '../paths.ts';
import type { Around, Shell } from './shell.ts';

type Finds = (args: readonly string[]) => readonly string[];

/** The text behind the first match in each word. */
const behind =
  (pattern: RegExp): Finds =>
  (args) =>
    args.flatMap((word) => pattern.exec(word)?.[1] ?? []);
const after =
  (...options: readonly string[]): Finds =>
  (args) =>
    args.flatMap((word, at) => (options.includes(word) ? (args[at + 1] ?? []) : []));
const all =
  (...finds: readonly Finds[]): Finds =>
  (args) =>
    finds.flatMap((find) => find(args));

const ofGit: Finds = (args) => {
  const at = args.findIndex((word, index) => (word === 'foreach' && args[index - 1] === 'submodule') || (word === 'run' && args[index - 1] === 'bisect'));
  const rest = at === -1 ? [] : args.slice(at + 1).filter((word, index) => index > 0 || !word.startsWith('--'));
  return [
    ...(rest.length === 0 ? [] : [rest.length === 1 ? (rest[0] ?? '') : rest.map(shellQuote).join(' ')]),
    ...after('-x', '--exec', '--extcmd')(args),
    ...behind(/^--(?:exec|extcmd)=(.+)/)(args),
  ];
};
const ofEditors = behind(/^\+?:?!(.+)/);
const ofVariables = behind(/^(?:EDITOR|VISUAL|PAGER|MANPAGER|GIT_EDITOR|GIT_PAGER|BROWSER)=(.+)/);

/** Commands that are passed in options of other commands. */
const HIDDEN: Readonly<Record<string, Finds>> = {
  tar: all(behind(/^--checkpoint-action=exec=(.+)/), behind(/^--(?:to-command|use-compress-program|rsh-command)=(.+)/), after('-I', '--to-command')),
  zip: all(behind(/^--unzip-command=(.+)/), after('-TT')),
  sed: behind(/(?:^|;)\s*\d*(?:,\d+)?e\s+(.+)/),
  vim: ofEditors,
  vi: ofEditors,
  nvim: ofEditors,
  ex: ofEditors,
  git: ofGit,
  ssh: behind(/^(?:-o)?(?:ProxyCommand|LocalCommand)[= ](.+)/i),
  scp: behind(/^(?:-o)?(?:ProxyCommand|LocalCommand)[= ](.+)/i),
  npm: behind(/^scripts\.[\w:-]+=(.+)/),
  export: ofVariables,
  env: ofVariables,
  declare: ofVariables,
};

const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile'];

/** The recipes of a makefile that this line has written. */
function recipes(args: readonly string[], shell: Shell, { scope, input }: Around): readonly string[] {
  const named = after('-f', '--file')(args);
  const texts = (named.length === 0 ? MAKEFILES : named).flatMap((path) =>
    path === '-' ? (input?.text ?? []) : (scope.files.get(absolute(path, { cwd: scope.cwd, home: shell.place.home }))?.text ?? []),
  );
  return texts.flatMap((text) => [...text.matchAll(/^\t[@-]*(.+)$/gm)].map(([, line = '']) => line));
}

/** The scripts of a package.json that this line has written. */
function scripts(shell: Shell, { scope }: Around): readonly string[] {
  const text = scope.files.get(absolute('package.json', { cwd: scope.cwd, home: shell.place.home }))?.text ?? null;
  return text === null ? [] : [...text.matchAll(/"[\w:-]+"\s*:\s*"((?:\\.|[^"\\])*)"/g)].map(([, line = '']) => line.replaceAll('\\"', '"'));
}

const RUNS_SCRIPTS = /^(run|run-script|test|start|install|i|ci|exec|build|dev)$/;

/** Command lines in unexpected places: in options, in makefiles and in package.json. */
export function hiddenCommands(
  name: string,
  args: readonly string[],
  { shell, around }: { readonly shell: Shell; readonly around: Around },
): readonly string[] {
  const found = Object.hasOwn(HIDDEN, name) ? (HIDDEN[name]?.(args) ?? []) : [];
  if (around.scope.files.size === 0 && around.input === null) return found;
  if (/^g?make$/.test(name)) return [...found, ...recipes(args, shell, around)];
  return /^(npm|yarn|pnpm|bun)$/.test(name) && args.some((word) => RUNS_SCRIPTS.test(word)) ? [...found, ...scripts(shell, around)] : found;
}
