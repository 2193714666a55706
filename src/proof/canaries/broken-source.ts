import { append, baseName, EXPECTED, type Plant } from './plant.ts';

interface Checker {
  readonly files: RegExp;
  /** A line that this checker must reject. */
  readonly wrong: (name: string) => string;
}

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
const syntaxError = () => ')ralph canary(';

/**
 * Usually a syntax error. Other mistakes are for tools that would stop at a syntax error (mypy, cargo), name one file of a package only (go vet), or report
 * it even with type checks switched off (tsc).
 */
const CHECKERS: Readonly<Record<string, Checker>> = {
  tsc: { files: /\.[cm]?tsx?$/, wrong: (name) => `const ${name}: number = '${EXPECTED}';` },
  eslint: { files: JAVASCRIPT, wrong: syntaxError },
  biome: { files: JAVASCRIPT, wrong: syntaxError },
  prettier: { files: JAVASCRIPT, wrong: syntaxError },
  ruff: { files: /\.pyi?$/, wrong: syntaxError },
  mypy: { files: /\.pyi?$/, wrong: (name) => `${name}: int = '${EXPECTED}'` },
  'go-vet': { files: /\.go$/, wrong: (name) => `func ${name}(x int) { x = x }` },
  'cargo-check': { files: /\.rs$/, wrong: (name) => `const ${name.toUpperCase()}: u8 = "${EXPECTED}";` },
};

/** Declaration files, which are not always checked, and configuration that the checker itself reads. */
const NEVER = /\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|rc\.[cm]?js$/;
const MOST = 20;

/** Breaks at most twenty sources that a checker must then name by their base names. Of two base names that could be confused, only one is used. */
export async function breakSources(request: {
  readonly runners: readonly string[];
  readonly sources: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  readonly token: () => string;
}): Promise<readonly Plant[]> {
  const plants: Plant[] = [];
  for (const path of request.sources) {
    if (plants.length === MOST) break;
    const checker = checkerOf(path, request.runners);
    if (checker === undefined || plants.some(({ tokens: [name = ''] }) => looksLike(name, baseName(path)))) continue;
    const text = await request.read(path);
    if (text !== null) plants.push({ path, text: append(text, [checker.wrong(`ralph${request.token()}`)]), tokens: [baseName(path)], cases: 0 });
  }
  return plants;
}

function checkerOf(path: string, runners: readonly string[]): Checker | undefined {
  if (NEVER.test(path)) return undefined;
  return runners.map((runner) => CHECKERS[runner]).find((checker) => checker?.files.test(path));
}

const looksLike = (one: string, other: string) => one.endsWith(other) || other.endsWith(one);
