import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { chooseAgent } from './requested-loop.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

type Over = NonNullable<SettingsFile['agent']>;

/** With only these commands on PATH. */
async function choose(file: SettingsFile, { onPath = [], over = {} }: { readonly onPath?: readonly string[]; readonly over?: Over } = {}) {
  await using folder = await openThrowAwayFolder();
  const path = join(folder.path, 'bin');
  await mkdir(path);
  for (const name of onPath) {
    await writeFile(join(path, name), '');
    await chmod(join(path, name), 0o755);
  }
  return await chooseAgent(deepMerge(DEFAULTS, file) as CompleteSettings, over, { cwd: folder.path, path });
}

const mine: SettingsFile['agent'] = { command: 'claude', flags: ['--verbose'], model: 'opus', autonomy: 'edits' };
const agents = { fast: { command: 'codex', model: 'gpt-5-mini' }, small: { model: 'haiku' } };

describe('build', () => {
  it("is the project's own agent with its settings", async () => {
    expect(await choose({ agent: mine })).toEqual(mine);
  });

  it.each([
    [['amp', 'codex', 'claude'], 'claude'],
    [['amp', 'codex'], 'codex'],
    [['amp', 'gemini'], 'amp'],
    [['gemini'], 'gemini'],
  ])('is the preferred agent of %j on PATH if the project names none', async (onPath, command) => {
    expect(await choose({ agent: { autonomy: 'ask' } }, { onPath })).toEqual({ command, flags: [], autonomy: 'ask', onPath: expect.arrayContaining(onPath) });
  });

  it('is refused if no agent is found', async () => {
    await expect(choose({}, { onPath: ['aider'] })).rejects.toThrow(
      expect.objectContaining({
        code: 'agent-not-found',
        exitCode: 4,
        message: 'no agent is named, and none of claude, codex, amp, opencode, gemini was found on PATH',
        hint: expect.stringContaining('--agent'),
      }),
    );
  });

  it('may be defined as a profile', async () => {
    expect(await choose({ agent: mine, agents: { build: { command: 'amp' } } })).toEqual({ command: 'amp', flags: [], autonomy: 'full' });
  });
});

describe('an agent by name', () => {
  it("is a profile, without the flags of the project's own agent", async () => {
    expect(await choose({ agent: mine, agents, loop: { agent: 'fast' } })).toEqual({ command: 'codex', model: 'gpt-5-mini', flags: [], autonomy: 'full' });
  });

  it("is the project's own agent with the settings of the profile, if the profile names no command", async () => {
    expect(await choose({ agent: mine, agents, loop: { agent: 'small' } })).toEqual({ ...mine, model: 'haiku' });
  });

  it("is a command if there is no such profile, and does not get the settings of the project's own agent", async () => {
    expect(await choose({ agent: mine, loop: { agent: 'codex --profile x' } })).toEqual({ command: 'codex --profile x', flags: [], autonomy: 'full' });
    expect(await choose({ agent: mine, loop: { agent: 'claude' } })).toEqual(mine);
  });

  it('is overridden by the settings of this loop', async () => {
    expect(await choose({ agents, loop: { agent: 'fast', model: 'gpt-5' } }, { over: { kind: 'codex', autonomy: 'ask' } })).toEqual({
      command: 'codex',
      model: 'gpt-5',
      kind: 'codex',
      flags: [],
      autonomy: 'ask',
    });
  });

  it('that is neither a profile nor a command is refused, with the most similar profile as a hint', async () => {
    const refusal = { code: 'agent-not-found', exitCode: 4, hint: 'Did you mean fast?' };
    await expect(choose({ agents, loop: { agent: 'fasst' } })).rejects.toThrow(expect.objectContaining(refusal));
    expect(await choose({ agents, loop: { agent: 'fasst' } }, { onPath: ['fasst'] })).toMatchObject({ command: 'fasst' });
    await expect(choose({ loop: { agent: 'biuld' } })).rejects.toThrow(expect.objectContaining({ hint: 'Did you mean build?' }));
  });
});
