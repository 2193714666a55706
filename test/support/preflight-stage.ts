import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openScope } from '../../src/kit/async/scope.ts';
import { withIo } from '../../src/process/io.ts';
import { CHECKS, runChecks } from '../../src/runs/preflight/checks.ts';
import type { Finding } from '../../src/runs/preflight/finding.ts';
import { runSettings } from '../../src/settings/run-settings.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import type { SettingsFile } from '../../src/settings/schema/settings-file.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { gitEnv } from './opened-git.ts';
import { OPERATOR, openRepo, type Repo } from './repo.ts';

interface Asked {
  readonly settings?: SettingsFile;
  readonly env?: Readonly<Record<string, string>>;
  readonly checks?: typeof CHECKS;
  readonly change?: (settings: RunSettings) => RunSettings;
}

/** What the checks say of a run in a repository, whose home is beside it. */
export async function resultsIn(repo: Repo, { settings = {}, env = {}, checks = CHECKS, change = (same) => same }: Asked) {
  const given = Object.entries({ ...gitEnv, HOME: join(repo.beside, 'home'), ...env });
  // An empty one is absent.
  const all = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const io = { cwd: () => repo.path, env: all, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, events: process };
  return await withIo(io, async () => {
    await using scope = openScope();
    const workspace = await openWorkspace(repo.path, scope);
    const made = runSettings({ agent: { command: 'true' }, ...settings }, { prompt: { from: 'text', text: '' }, over: {} }, repo.path);
    return await runChecks(checks, { settings: change(made), workspace, signal: new AbortController().signal });
  });
}

export async function findingsIn(repo: Repo, asked: Asked): Promise<readonly (Finding & { readonly name: string })[]> {
  return (await resultsIn(repo, asked)).flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })));
}

export async function place(): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n' }, OPERATOR);
  onTestFinished(() => repo[Symbol.asyncDispose]());
  return repo;
}

/** Puts a program beside the repository and returns a PATH that finds it. */
export async function putProgram(repo: Repo, name: string, text: string): Promise<string> {
  const file = join(repo.beside, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
  return `${dirname(file)}:${gitEnv.PATH}`;
}
