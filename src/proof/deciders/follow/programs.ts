import { importsOf, isProduct, isTestPlace, nameOf } from '../repository.ts';
import type { Trail } from './trail.ts';

/** Names of programs that check something else. */
const checking = /(?:^|[._-])(?:tests?|specs?|checks?|checker|verify|validate|smoke|e2e|ci|selftest|lint|runtests?|suite)(?:[._-]|$)|^(?:test|check)[A-Z_]/;
const isNamedSo = (path: string) => checking.test(nameOf(path));
/** `lib/x.spec.js` is a test in any folder. */
const isSpec = (path: string) => /[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/.test(path);
const isTool = (path: string) => /(?:^|\/)(?:scripts?|tools?|ci|hack|qa|checks?)\//.test(path);

const asserts = /\bassert\b|\bexpect\s*\(|\bshould\.|\bunittest\b|\bpytest\b|\bnode:test\b/;
const loads = /^\s*(?:import|from)\s+\.?\w|\brequire\s*\(|\bimport\s*\(/m;
const judges = /\b(?:diff|cmp|assert|pytest|jest|vitest|mocha|unittest|tests?|fail(?:ed|ures?)?)\b|--test\b|\|\|\s*exit|\bexit [1-9]/i;

interface Called {
  readonly path: string;
  readonly text: string;
  /** Whether its output is compared or kept: for a test only the exit code counts. */
  readonly isCompared: boolean;
  readonly isKept: boolean;
}

/** Whether a program that a gate starts is there to check others. Many gates also start the product and look at its output. */
export function isTestProgram({ path, text, isCompared, isKept }: Called, trail: Trail): boolean {
  if (isSpec(path) || isTestPlace(path)) return true;
  if (isProduct(path)) return false;
  if (isNamedSo(path) || (isTool(path) && !isCompared)) return true;
  if (isCompared || isKept) return false;
  return asserts.test(text) && (loads.test(text) || importsOf(text, '', trail.index).length > 0);
}

/** The same for a shell script or another program of the project, which is a decider unless it is the product. */
export function isProductProgram({ path, text, isCompared, isKept }: Called): boolean {
  if (isTestPlace(path) || isNamedSo(path)) return false;
  return isProduct(path) || ((isCompared || isKept) && !judges.test(text));
}

/** Programs that start another one, which follows their own options. The number says how many of their own words come first. */
const wrappers: ReadonlyMap<string, number> = new Map([
  ...['env', 'cross-env', 'time', 'nice', 'nohup', 'exec', 'command', 'builtin', 'sudo', 'stdbuf', 'xvfb-run', 'xargs', 'setsid', 'ionice'].map(
    (name) => [name, 0] as const,
  ),
  ...['npx', 'bunx', 'pnpx', 'nyc', 'c8', 'dotenv', 'retry', 'caffeinate', 'faketime', 'pipx', 'uvx'].map((name) => [name, 0] as const),
  ...['npm exec', 'npm x', 'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx', 'bun x', 'dotenvx run', 'pipx run', 'op run', 'doppler run'].map(
    (name) => [name, 0] as const,
  ),
  ...['uv run', 'poetry run', 'pdm run', 'pipenv run', 'hatch run', 'rye run', 'conda run', 'mamba run', 'bundle exec', 'mise exec', 'mise x'].map(
    (name) => [name, 0] as const,
  ),
  ...[
    ['timeout', 1] as const,
    ['flock', 1] as const,
    ['direnv exec', 1] as const,
    ['asdf exec', 0] as const,
    ['nix develop', 0] as const,
    ['nix-shell', 0] as const,
  ],
]);

/** Their options with a value in the next word. */
const valued: ReadonlyMap<string, readonly string[]> = new Map([
  ['npx', ['-p', '--package']],
  ['npm', ['-p', '--package', '-w', '--workspace']],
  ['timeout', ['-s', '--signal', '-k', '--kill-after']],
  ['nice', ['-n', '--adjustment']],
  ['env', ['-u', '--unset', '-C', '--chdir', '-S']],
  ['sudo', ['-u', '-g', '-E']],
  ['uv', ['--with', '--python', '-p', '--group', '--extra', '--package', '--project', '--directory', '--env-file']],
  ['uvx', ['--with', '--python', '-p', '--from']],
  ['conda', ['-n', '--name', '-p', '--prefix']],
  ['dotenv', ['-e', '-f', '-v', '-c']],
  ['xargs', ['-n', '-I', '-P', '-L', '-a', '-d']],
  ['nyc', ['--reporter', '--include', '--exclude', '--cwd']],
  ['c8', ['--reporter', '-r', '--include', '--exclude', '-x', '-n']],
  ['xvfb-run', ['-s', '-n', '-e']],
]);

const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word);

/** Removes one wrapper; null if the first word is none. */
function unwrapOnce(words: readonly string[], name: string): readonly string[] | null {
  const two = `${name} ${words[1] ?? ''}`;
  const own = wrappers.get(two) ?? wrappers.get(name);
  if (own === undefined) return null;
  const withValue = valued.get(name) ?? [];
  const from = wrappers.has(two) ? 2 : 1;
  const plain = words.flatMap((word, at) => (at < from || isOwn(word) || withValue.includes(words[at - 1] ?? '') ? [] : [at]));
  const line = words.findIndex(
    (word, at) => at >= from && at < (plain[own] ?? words.length) && /^(?:-c|--command|--call)$/.test(word) && !withValue.includes(word),
  );
  if (line !== -1) return ['sh', '-c', words.slice(line + 1).join(' ')];
  return words.slice(plain[own] ?? words.length);
}

const isOwn = (word: string) => word.startsWith('-') || isAssignment(word);

/** The command inside `CI=1 env X=y timeout 60 npx --no-install jest`, and the assignments before it. */
export function unwrap(
  words: readonly string[],
  programName: (word: string) => string,
): { readonly words: readonly string[]; readonly assigned: readonly string[] } {
  let rest = words;
  const assigned: string[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const name = programName(rest[0] ?? '');
    const next = unwrapOnce(rest, name);
    if (next === null) break;
    if (name === 'env' || name === 'cross-env' || name === 'sudo') assigned.push(...rest.slice(0, rest.length - next.length).filter(isAssignment));
    rest = next;
  }
  return { words: rest, assigned };
}
