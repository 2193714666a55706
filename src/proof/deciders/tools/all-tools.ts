import { documentedTools } from './documented.ts';
import { goTools } from './go.ts';
import { javascriptCheckers, javascriptLaunchers, javascriptRunners } from './javascript.ts';
import { pythonTools } from './python.ts';
import { rustTools } from './rust.ts';
import { shellTools } from './shell.ts';
import type { Tool } from './tool.ts';

/** A file per ecosystem. To add a runner, add a row to its list, and its name to tool.ts. */
export const allTools: readonly Tool[] = [
  ...javascriptRunners,
  ...javascriptCheckers,
  ...javascriptLaunchers,
  ...pythonTools,
  ...goTools,
  ...rustTools,
  ...shellTools,
  ...documentedTools,
];

/** In the lists of their ecosystems, and in no case of `ralph torture`. */
const NEVER_TRIED: ReadonlySet<Tool['name']> = new Set<Tool['name']>([
  ...(['ava', 'playwright', 'bun-test', 'deno-test', 'deno-check', 'mypy', 'flake8', 'pylint', 'golangci-lint', 'cargo-other', 'shellcheck'] as const),
  ...(['pnpm', 'yarn', 'bun', 'turbo', 'nx', 'tox', 'nox', 'docker'] as const),
]);

/** Known from its documentation only: it was never run against cheats. */
export const isOnlyDocumented = (tool: Tool): boolean => NEVER_TRIED.has(tool.name) || documentedTools.includes(tool);

/** Longest first: `node --test` before `node`. */
const starts = allTools
  .flatMap((tool) => tool.starts.map((start) => ({ tool, words: start.split(' ') })))
  .sort((one, other) => other.words.length - one.words.length);

export interface Started {
  readonly tool: Tool;
  /** All words after those that start it. */
  readonly rest: readonly string[];
}

/** The tool that a command line starts; options may be between the words that identify it (`node --import x --test`). Null if the tool is unknown. */
export function startedBy(words: readonly string[]): Started | null {
  const program = programName(words[0] ?? '');
  const installed = program === 'node' ? words.findIndex((word, at) => at > 0 && !word.startsWith('-') && /(?:^|\/)node_modules\//.test(word)) : -1;
  if (installed !== -1) return startedBy(words.slice(installed));
  for (const start of starts) {
    if (start.words[0] !== program) continue;
    const at = start.words.slice(1).reduce((from, word) => (from === 0 ? 0 : indexBehind(words, word, from)), 1);
    if (at > 0) return { tool: start.tool, rest: words.slice(1).filter((_, index) => index + 1 >= at || !isTelling(start.words, words[index + 1])) };
  }
  return null;
}

const isTelling = (told: readonly string[], word: string | undefined) => word !== undefined && told.slice(1).includes(word);

/** The index of the word, if only options and their values are before it, plus one; 0 if not. */
function indexBehind(words: readonly string[], word: string, from: number): number {
  const at = words.indexOf(word, from);
  if (at === -1) return 0;
  const between = words.slice(from, at);
  const isPlain = between.every((each, index) => each.startsWith('-') || between[index - 1]?.startsWith('-') === true);
  return isPlain ? at + 1 : 0;
}

/** `./node_modules/.bin/jest.cmd` and `jest/bin/jest.js` are jest, `python3.12` is python. */
export function programName(word: string): string {
  const file = word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  const bare = file.replace(/\.[cm]?js$/, '');
  const name = word.split('/').slice(0, -1).includes(bare) ? bare : file;
  return /^(?:python|pypy)[\d.]*$|^py$/.test(name) ? 'python' : name;
}
