import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { type RequestedLoop, requestedLoop } from './requested-loop.ts';
import { protectedPaths } from './schema/recipe-facts.ts';

/** In a folder with these files, with an agent that needs no lookup. */
async function wanted(over: Partial<RequestedLoop>, files: Readonly<Record<string, string>> = {}) {
  await using folder = await openThrowAwayFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  const asked = { cwd: folder.path, task: 'Do the work.', spec: null, config: null, witnesses: [], noChecks: false, over: {} };
  const { over: said = {}, ...others } = over;
  return { cwd: folder.path, ...(await requestedLoop({ ...asked, ...others, over: { ...said, loop: { agent: 'claude', checks: ['make'], ...said.loop } } })) };
}

describe('the settings of a requested loop', () => {
  it('contain the task as the prompt', async () => {
    const { settings, worktree } = await wanted({});
    expect(settings).toMatchObject({ prompt: { from: 'text', text: 'Do the work.' }, loop: { spec: null } });
    expect(worktree).toBeNull();
  });

  it('contain the current text and the path of the spec instead of a task', async () => {
    const { cwd, settings } = await wanted({ spec: 'docs/spec.md', over: { loop: { followSpec: true } } }, { 'docs/spec.md': 'All of it.\n' });
    expect(settings).toMatchObject({
      prompt: { from: 'text', text: 'All of it.\n' },
      loop: { spec: { path: join(cwd, 'docs/spec.md'), follow: true } },
    });
  });

  it.each([
    ['is empty', ''],
    ['is white space', ' \n'],
  ])('are refused with a spec that %s', async (_name, spec) => {
    await expect(wanted({ spec: 'spec.md' }, { 'spec.md': spec })).rejects.toThrow('spec file cannot be used: spec.md: it is empty');
  });

  it('keep the checks and the protected paths of the files when the caller adds some', async () => {
    const yaml = 'ralph_loop:\n  checks: [lint, make]\n  protect: [tests]\n';
    const { settings } = await wanted({ over: { loop: { checks: ['make', 'test'], protect: ['ci'] } } }, { 'ralph.yaml': yaml });
    expect(settings.gates.map(({ command }) => command)).toEqual(['lint', 'make', 'test']);
    expect(protectedPaths(settings)).toEqual(['tests', 'ci']);
  });

  it('take the guardrails that `ralph init` wrote as checks', async () => {
    const { settings } = await wanted({}, { '.ralph/settings.json': JSON.stringify({ guardrails: [{ command: 'npm test', failAction: 'PREPEND' }] }) });
    expect(settings.gates).toMatchObject([{ command: 'npm test', failAction: 'PREPEND' }, { command: 'make' }]);
  });

  it.each([
    ['the completion tag of seed 004', {}, 'COMPLETE'],
    ['the completion response of the project', { completionResponse: 'READY' }, 'READY'],
    ['the completion tag of the project first', { completionResponse: 'READY', loop: { completionTag: 'OVER' } }, 'OVER'],
  ])('take as the word for done %s', async (_name, file, word) => {
    const { settings } = await wanted({}, { '.ralph/settings.json': JSON.stringify(file) });
    expect(settings.claims).toContainEqual({ kind: 'tag', word });
    expect(settings.claims.filter(({ kind }) => kind === 'promise')).toHaveLength(word === 'COMPLETE' ? 1 : 0);
  });

  it('override the profile with settings for the agent of this loop', async () => {
    const agents = { fast: { command: 'codex', model: 'gpt-5', autonomy: 'ask' } };
    const { settings } = await wanted(
      { over: { loop: { agent: 'fast' }, agent: { autonomy: 'edits' } } },
      { '.ralph/settings.json': JSON.stringify({ agents }) },
    );
    expect(settings.agent).toEqual({ kind: 'codex', command: 'codex', flags: [], model: 'gpt-5', autonomy: 'edits' });
  });

  it('list their source files, the one that overrides the others last', async () => {
    const files = { 'ralph.yaml': 'ralph_loop:\n', '.ralph/settings.json': '{}', 'mine.yaml': 'ralph_loop:\n' };
    expect((await wanted({ config: 'mine.yaml' }, files)).sources).toEqual(['ralph.yaml', '.ralph/settings.json', 'mine.yaml']);
  });
});

describe('the requested worktree of a loop', () => {
  it('is named after the task and set up as the settings say', async () => {
    const worktree = { root: '../trees', copy: ['.env'], setup: 'npm ci', setupTimeout: '5m' };
    const asked = await wanted({ over: { loop: { worktree: true } } }, { '.ralph/settings.json': JSON.stringify({ worktree }) });
    expect(asked.worktree).toEqual({
      title: 'Do the work.',
      root: join(dirname(asked.cwd), 'trees'),
      copy: ['.env'],
      link: [],
      setup: { command: 'npm ci', timeoutMs: 300_000 },
    });
    expect(asked.settings.scm).toMatchObject({ tasks: ['commit'], message: 'generated' });
  });

  it('is named after the spec if there is no task, and lies beside the repository', async () => {
    const asked = await wanted({ task: null, spec: 'auth.md', over: { loop: { worktree: true } } }, { 'auth.md': 'x' });
    expect(asked.worktree).toEqual({ title: 'auth.md', root: null, copy: [], link: [], setup: null });
  });
});
