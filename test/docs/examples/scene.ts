import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeScript, scriptedClaudeIn, type Turn } from '../../support/claude-script.ts';
import { processesOf } from '../../support/processes-of.ts';
import { CLI, cleanEnv } from '../../support/ralph.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';
import { openShell, type TypeLine } from './shell.ts';

/** The repository of a page, and what its scripted claude does, call by call. */
export interface Scene {
  readonly files: Readonly<Record<string, string>>;
  readonly turns: readonly Turn[];
  /** Commands before the start of the page. */
  readonly prepare?: string;
}

/** A temporary repository with one commit, in which the commands of a page are typed. */
export interface OpenScene extends AsyncDisposable {
  readonly path: string;
  /** A folder beside it, for files that are not part of the work. */
  readonly beside: string;
  /** The environment of its shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly type: TypeLine;
  write(name: string, content: string): Promise<void>;
}

const IDENTITY = '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n';
const LONGEST_MS = 60_000;

/** Runs `npm test` like npm, at a tenth of its start-up cost. Everything else goes to the real npm. */
const NPM = `#!/bin/sh
script=$(sed -n 's/.*"test": "\\([^"]*\\)".*/\\1/p' package.json)
if [ "$*" != test ] || [ -z "$script" ]; then
  PATH='${process.env['PATH']}' exec npm "$@"
fi
printf '\\n> test\\n> %s\\n\\n' "$script"
exec sh -c "$script"
`;

export async function openScene({ files, turns, prepare = 'true' }: Scene): Promise<OpenScene> {
  const folder = await openThrowAwayFolder();
  const [path, beside] = [join(folder.path, 'repo'), join(folder.path, 'beside')];
  await mkdir(path);
  await mkdir(beside);
  const env = await environmentIn(beside, turns);
  const shell = await openShell({ cwd: path, beside, env, longestMs: LONGEST_MS });
  const write = async (name: string, content: string) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const { code, output } = await shell(`git init -q && git add -A && git commit -q -m Begin && ${prepare}`);
  if (code !== 0) throw new Error(`the scene cannot be set: ${output}`);
  return {
    path,
    beside,
    env,
    write,
    async type(command) {
      const printed = await shell(command);
      // Background processes of a line belong to it.
      await until(`the end of all that was started by: ${command}`, () => processesOf(folder.path).length === 0, LONGEST_MS);
      return printed;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** With `ralph`, a scripted `claude`, `codex` and `npm`, and an author for commits. */
async function environmentIn(beside: string, turns: readonly Turn[]): Promise<Readonly<Record<string, string>>> {
  const bin = await scriptedClaudeIn(beside);
  await symlink(fileURLToPath(new URL('./scripted-codex.mjs', import.meta.url)), join(bin, 'codex'));
  await symlink(CLI, join(bin, 'ralph'));
  await writeFile(join(bin, 'npm'), NPM, { mode: 0o755 });
  await writeFile(join(beside, '.gitconfig'), IDENTITY);
  return cleanEnv(beside, {
    PATH: `${bin}:${process.env['PATH']}`,
    GIT_CONFIG_GLOBAL: join(beside, '.gitconfig'),
    XDG_RUNTIME_DIR: beside,
    IS_SANDBOX: '1',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    CLAUDE_SCRIPT: claudeScript(turns),
    CLAUDE_CALLS: join(beside, 'calls'),
  });
}
