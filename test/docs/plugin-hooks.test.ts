import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';
import { projectRoot } from './project-files.ts';

let folder: ThrowAwayFolder;
let project = '';
let bin = '';
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  project = join(folder.path, 'pro ject', 'sub');
  bin = join(folder.path, 'bin');
  await mkdir(project, { recursive: true });
  await mkdir(bin);
  await symlink('/bin/cat', join(bin, 'cat'));
  // Records every start of node.
  await writeFile(join(bin, 'node'), '#!/bin/sh\ncat >/dev/null\necho "node $*"\n', { mode: 0o755 });
});
afterEach(() => folder[Symbol.asyncDispose]());

/** A command of the plugin as claude runs it, with its variable filled in. */
async function runHookOf(event: string, env: Readonly<Record<string, string>> = {}) {
  const { hooks } = JSON.parse(await readFile(join(projectRoot, 'plugin/hooks/hooks.json'), 'utf8'));
  const command = String(hooks[event][0].hooks[0].command).replaceAll('${CLAUDE_PLUGIN_ROOT}', '/plugin root');
  const all = { PATH: bin, CLAUDE_PROJECT_DIR: project, ...env };
  return await runBinary({ file: '/bin/sh', args: ['-c', command], cwd: project, env: all, stdin: '{}', withinMs: 60_000 });
}

const silence = { code: 0, stdout: '', stderr: '' };
const asked = (name: string) => ({ code: 0, stdout: `node /plugin root/hooks/ralph-hook.cjs ${name}\n`, stderr: '' });
const everyEvent = [
  ['Stop', 'stop'],
  ['PreToolUse', 'guard'],
  ['PostToolUse', 'context'],
  ['SessionStart', 'session-start'],
] as const;

it.each(everyEvent)('%s starts node if a marker of an active loop is in this folder or above', async (event, name) => {
  await writeFile(join(project, '../.ralph-active'), '');
  expect(await runHookOf(event)).toEqual(asked(name));
});

it.each(everyEvent)('%s prints and starts nothing for an agent that has its hooks from the loop', async (event) => {
  await writeFile(join(project, '.ralph-active'), '');
  await rm(bin, { recursive: true });
  expect(await runHookOf(event, { RALPH_HOOKS: 'loop' })).toEqual(silence);
});

it('without an active loop only the context hook starts a process', async () => {
  expect(await runHookOf('PostToolUse')).toEqual(asked('context'));
  await rm(bin, { recursive: true });
  expect(await runHookOf('Stop')).toEqual(silence);
  expect(await runHookOf('PreToolUse')).toEqual(silence);
});

it('the guard denies if a loop is active and node does not run', async () => {
  await writeFile(join(project, '.ralph-active'), '');
  await rm(join(bin, 'node'));
  expect(await runHookOf('PreToolUse')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Ralph cannot ask its guard') });
});
