import type { Runner } from '../deciders/tools/tool.ts';
import { append, EXPECTED, withoutColours } from './plant.ts';

interface Look {
  /** Every file in its language, whether it looks at it or not. */
  readonly files: RegExp;
  /** A line that it rejects, and a program that only runs the file does not. Null for a linter, which may apply other rules in another place: it gets the code. */
  readonly wrong: ((path: string, name: string) => string) | null;
  /** What it prints if it rejects something, and a test runner in the same gate does not. */
  readonly says: RegExp;
}

const JAVASCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;
const typed = (path: string, name: string) =>
  /\.[cm]?tsx?$/.test(path) ? `const ${name}: number = '${EXPECTED}';` : `/** @type {number} */ const ${name} = '${EXPECTED}';`;

const LOOKS: { readonly [Name in Runner]?: Look } = {
  tsc: { files: JAVASCRIPT, wrong: typed, says: /\bTS2322\b/ },
  mypy: { files: /\.pyi?$/, wrong: (_path, name) => `${name}: int = '${EXPECTED}'`, says: /Incompatible types in assignment/ },
  'go-vet': { files: /\.go$/, wrong: (_path, name) => `func ${name}(x int) { x = x }`, says: /self-assignment/ },
  'cargo-check': { files: /\.rs$/, wrong: (_path, name) => `const ${name.toUpperCase()}: u8 = "${EXPECTED}";`, says: /mismatched types/ },
  eslint: { files: JAVASCRIPT, wrong: null, says: /✖ \d+ problem/ },
  biome: { files: JAVASCRIPT, wrong: null, says: /━━━/ },
  prettier: { files: JAVASCRIPT, wrong: null, says: /^\[(?:warn|error)\]/m },
  ruff: { files: /\.pyi?$/, wrong: null, says: /^Found \d+ error|^Would reformat/m },
  flake8: { files: /\.py$/, wrong: null, says: /: [A-Z]\d{3} / },
  pylint: { files: /\.py$/, wrong: null, says: /: [CRWEF]\d{4}: / },
};

/** A checker of a gate, asked which files it looks at. */
export interface Reach {
  readonly isLinter: boolean;
  readonly isInItsLanguage: (path: string) => boolean;
  /** The text with something that the checker rejects if it looks at the file. */
  broken(path: string, text: string, token: string): string;
  isNoticed(output: string): boolean;
}

export function reachesOf(runners: readonly Runner[]): readonly Reach[] {
  return runners.flatMap((runner) => {
    const look = LOOKS[runner];
    if (look === undefined) return [];
    return {
      isLinter: look.wrong === null,
      isInItsLanguage: (path: string) => look.files.test(path),
      broken: (path: string, text: string, token: string) => (look.wrong === null ? text : append(text, [look.wrong(path, `ralph${token}`)])),
      // With others in the same gate a broken file may be red for them only.
      isNoticed: (output: string) => runners.length === 1 || look.says.test(withoutColours(output)),
    };
  });
}
