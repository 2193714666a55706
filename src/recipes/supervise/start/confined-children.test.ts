import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryChildren } from '../../../../test/support/memory-children.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import type { Children } from '../../../engine/ports/supervision.ts';
import { NO_SANDBOX, type SandboxMode } from '../../../settings/schema/sandbox-spec.ts';
import { confinedChildren } from './open-supervision.ts';

async function asked(mode: SandboxMode, cwdOf: (folder: string) => string | null, writable: readonly string[] = []): Promise<string> {
  await using folder = await openThrowAwayFolder();
  const top = join(folder.path, 'project');
  for (const each of ['project/part', 'elsewhere']) await mkdir(join(folder.path, each), { recursive: true });
  await symlink(join(folder.path, 'elsewhere'), join(top, 'link'));
  const wall = { ...NO_SANDBOX, mode, writable: writable.map((path) => join(folder.path, path)) };
  const child: Parameters<Children['start']>[0] = {
    run: 'c',
    parent: 'p',
    task: null,
    agent: null,
    model: null,
    checks: [],
    cwd: cwdOf(folder.path),
    idle_ms: null,
    run_ms: null,
    prompt: '',
  };
  const answer = await confinedChildren(memoryChildren(), wall, top, top).start(child, new AbortController().signal);
  return answer.kind === 'refused' ? answer.why : answer.kind;
}

it('a child works anywhere its parent may write', async () => {
  expect(await asked('os', () => null)).toBe('started');
  expect(await asked('os', () => 'part')).toBe('started');
  expect(await asked('os', (folder) => join(folder, 'elsewhere'), ['elsewhere'])).toBe('started');
});

it('a child works nowhere else: an agent could escape its sandbox by asking for a child there', async () => {
  for (const cwd of [(folder: string) => join(folder, 'elsewhere'), () => '../elsewhere', () => 'link', () => '/', () => 'not-there'])
    expect(await asked('os', cwd)).toMatch(/is not writable for an agent in this sandbox$/);
});

it('without a sandbox, a child may work anywhere', async () => {
  expect(await asked('guard', (folder) => join(folder, 'elsewhere'))).toBe('started');
});
