import { findFile, isProduct } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';
import type { Trail } from './trail.ts';

/** Options of any program whose value is a file that it loads. */
const loading = new Set([
  ...['--config', '-c', '-p', '--project', '--require', '-r', '--import', '--loader', '--experimental-loader', '--env-file', '--rcfile', '--config-file'],
  ...['--configfile', '--configuration', '--settings', '--setup', '--init-file', '--script-shell', '--bootstrap', '--preset', '--rules', '-f', '--file'],
]);

const script = /\.(?:sh|bash|zsh|fish|js|cjs|mjs|ts|cts|mts|jsx|tsx|py|rb|pl|php|lua|awk|mk|ps1|bat|cmd)$/;
const configuration = /\.(?:json|jsonc|json5|toml|ya?ml|ini|cfg|conf|config|xml|properties|env|rc|opts)$|(?:^|\/)\.[\w.-]+$/;
/** The file that a word of a command names; null if there is none. */
export const fileAt = (trail: Trail, cwd: string, word: string): string | null => (word.includes('\n') ? null : findFile(trail.index, cwd, word));

interface Call {
  /** Null for an unknown program. */
  readonly tool: Tool | null;
  readonly cwd: string;
  readonly rest: readonly string[];
}

/** Notes the scripts, configurations and tests that a command names, but no data files. */
export function noteNamed(trail: Trail, call: Call): void {
  for (const [at, word] of call.rest.entries()) {
    const [option = '', inline] = word.startsWith('-') ? word.split(/=(.*)/s, 2) : [];
    const before = call.rest[at - 1] ?? '';
    if (inline !== undefined && isLoading(option, call)) noteLoaded(trail, call, inline);
    else if (!word.startsWith('-') && isLoading(before, call)) noteLoaded(trail, call, word);
    else if (!word.startsWith('-')) notePositional(trail, call, word);
  }
}

const isLoading = (option: string, { tool }: Call) => loading.has(option) || tool?.options?.includes(option) === true;

function noteLoaded(trail: Trail, { cwd }: Call, word: string): void {
  const path = fileAt(trail, cwd, word);
  if (path !== null && (script.test(path) || configuration.test(path))) trail.named.set(path, 'configuration');
}

function notePositional(trail: Trail, { tool, cwd }: Call, word: string): void {
  const path = fileAt(trail, cwd, word);
  if (path === null || trail.named.has(path)) return;
  if (tool === null) {
    if (script.test(path) && !isProduct(path)) trail.named.set(path, 'configuration');
  } else if (tool.tests.length > 0 && script.test(path)) trail.named.set(path, 'test');
}
