import type { Project } from './project.ts';
import type { Proposal } from './proposal.ts';

/** What fails fast comes first; tests often need the build. */
const SCRIPTS = ['lint', 'typecheck', 'type-check', 'build', 'test'];

/** How each package manager runs a script, known by its lock file. `bun test` would be bun's own runner. */
const MANAGERS = [
  { locks: ['pnpm-lock.yaml'], run: 'pnpm run', test: 'pnpm test' },
  { locks: ['yarn.lock'], run: 'yarn run', test: 'yarn test' },
  { locks: ['bun.lock', 'bun.lockb'], run: 'bun run', test: 'bun run test' },
] as const;
const NPM = { run: 'npm run', test: 'npm test' } as const;

export function packageScripts({ names, texts }: Project): readonly Proposal[] {
  const scripts = scriptsIn(texts.get('package.json') ?? '{}');
  const { run, test } = MANAGERS.find(({ locks }) => locks.some((lock) => names.has(lock))) ?? NPM;
  return SCRIPTS.filter((name) => checksSomething(scripts[name])).map((name) => ({ command: name === 'test' ? test : `${run} ${name}`, from: 'package.json' }));
}

/** Not the one `npm init` writes, which always fails, and not one that waits for changes, which never ends. */
function checksSomething(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified') && !/\s--watch(?:All)?(?:\s|$)/.test(script);
}

function scriptsIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(json.replace(/^\uFEFF/, '')) ?? {};
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
}
