import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SEED_MARKER, withFirst } from './plugin-stage.ts';
import { openRepo, type Repo } from './repo.ts';
import { runBinary } from './run-binary.ts';

interface HookCall {
  readonly code: number | null;
  /** Null: it has printed nothing. */
  readonly answer: HookSaid | null;
  readonly stderr: string;
}

interface HookSaid {
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
}

/** A project with two stories and the marker of a loop that is gone, and the single-file hook to ask about it. */
export interface HookStage extends AsyncDisposable {
  readonly repo: Repo;
  /** The single file. */
  readonly hook: string;
  /** One call, without a shell around it and without anything of this machine in its environment. An object is completed, a text is not. */
  call(name: string, input: object | string, env?: Readonly<Record<string, string>>): Promise<HookCall>;
  /** Commits the list of stories with that of its first one. */
  commit(first: object): Promise<void>;
}

const bundler = join(import.meta.dirname, '../../scripts/bundle-hook.mjs');

/** Made once for each file of tests. */
let bundled: Promise<string> | undefined;

async function bundle(file: string): Promise<string> {
  await promisify(execFile)(process.execPath, [bundler, file]);
  return await readFile(file, 'utf8');
}

export const silence: HookCall = { code: 0, answer: null, stderr: '' };
export const approved: HookCall = { code: 0, answer: { decision: 'approve' }, stderr: '' };

export async function openHookStage(): Promise<HookStage> {
  const repo = await openRepo({ 'ralph/tasks.json': withFirst({}), 'ralph/prd.md': '# What\n', 'src/a.ts': '', '.gitignore': '.ralph-active\n' });
  await repo.write('.ralph-active', JSON.stringify(SEED_MARKER));
  const hook = join(repo.beside, 'hooks/ralph-hook.cjs');
  await mkdir(dirname(hook));
  bundled ??= bundle(hook);
  await writeFile(hook, await bundled);
  return {
    repo,
    hook,
    async call(name, input, env = {}) {
      const { code, stdout, stderr } = await runBinary({
        file: process.execPath,
        args: [hook, name],
        cwd: repo.path,
        env: { PATH: process.env['PATH'] ?? '', TMPDIR: repo.beside, ...env },
        stdin: typeof input === 'string' ? input : JSON.stringify({ session_id: 's', cwd: repo.path, ...input }),
        withinMs: 60_000,
      });
      return { code, answer: stdout === '' ? null : JSON.parse(stdout), stderr };
    },
    async commit(first) {
      await repo.write('ralph/tasks.json', withFirst(first));
      repo.git('commit', '-qam', 'change');
    },
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}
