import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { effectiveSettings } from './effective-settings.ts';
import { valueAt } from './load-settings.ts';
import { DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

const BASE = '.ralph/settings.json';
const LOCAL = '.ralph/settings.local.json';

const keysWithDefaults = Object.entries(DEFAULTS).flatMap(([key, value]) =>
  typeof value !== 'object' || Array.isArray(value) ? key : Object.keys(value).map((inside) => `${key}.${inside}`),
);

/** The effective value and its source, by key. */
async function settingsOf(files: Readonly<Record<string, SettingsFile | string>>, config: string | null = null) {
  await using folder = await openThrowAwayFolder();
  await mkdir(join(folder.path, '.ralph'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder.path, name), typeof content === 'string' ? content : JSON.stringify(content));
  const settings = await effectiveSettings(folder.path, config);
  return Object.fromEntries(settings.map(({ path, value, source }) => [path.join('.'), { value, source }]));
}

describe('the effective settings', () => {
  it('are the defaults if there are no files', async () => {
    const settings = await settingsOf({});
    const unset = [
      'agent.command',
      'agent.configDir',
      'agent.env',
      'agent.fallback',
      'agent.model',
      'agent.kind',
      'agents',
      'loop.maxCost',
      'loop.maxTime',
      'loop.model',
      'maxCost',
      'maxCostPerDay',
      'notify',
      'otel',
      'prices',
      'proof.sealed',
      'reviews',
      'sandbox.maxMemory',
      'sandbox.maxProcesses',
      'scm',
      'setup',
      'store',
      'worktree',
    ];
    expect(Object.keys(settings).toSorted()).toEqual([...keysWithDefaults, ...unset].toSorted());
    for (const [key, { value, source }] of Object.entries(settings))
      expect({ key, value, source }).toEqual({ key, value: valueAt(DEFAULTS, key.split('.')), source: 'default' });
  });

  it('come from the last file that sets them, key by key', async () => {
    const settings = await settingsOf({
      [BASE]: { agent: { command: 'claude', model: 'opus' }, maximumIterations: 5, requireProof: true },
      [LOCAL]: { agent: { model: 'haiku' }, requireProof: false },
    });
    expect(settings).toMatchObject({
      'agent.command': { value: 'claude', source: BASE },
      'agent.model': { value: 'haiku', source: LOCAL },
      'agent.autonomy': { value: 'full', source: 'default' },
      maximumIterations: { value: 5, source: BASE },
      requireProof: { value: false, source: LOCAL },
    });
  });

  it('have one source for a list, because lists replace each other', async () => {
    const settings = await settingsOf({ [BASE]: { guardrails: [{ command: 'a' }, { command: 'b' }] }, [LOCAL]: { guardrails: [], agent: { flags: ['-v'] } } });
    expect(settings).toMatchObject({ guardrails: { value: [], source: LOCAL }, 'agent.flags': { value: ['-v'], source: LOCAL } });
  });

  it('include the defaults of an optional group once a file has that group', async () => {
    const settings = await settingsOf({ [BASE]: { scm: { command: 'git' } }, [LOCAL]: { reviews: {} } });
    expect(settings).toMatchObject({
      'scm.command': { value: 'git', source: BASE },
      'scm.tasks': { value: [], source: 'default' },
      'scm.timeout': { value: '10m', source: 'default' },
      'reviews.reviewAfter': { value: 5, source: 'default' },
    });
    expect(Object.keys(settings)).not.toContain('scm');
    expect(Object.keys(settings)).not.toContain('reviews');
  });

  it('of a loop come from ralph.yaml below the settings files, and from the file of --config above them', async () => {
    const yaml = 'ralph_loop:\n  max_iterations: 5\n  agent: codex\n  max_cost: null\n';
    const files = { 'ralph.yaml': yaml, [BASE]: { loop: { agent: 'fast', maxTime: '5m' } }, 'mine.yaml': 'ralph_loop: {max_time: 60}' };
    expect(await settingsOf(files, 'mine.yaml')).toMatchObject({
      'loop.maxIterations': { value: 5, source: 'ralph.yaml' },
      'loop.maxCost': { value: null, source: 'ralph.yaml' },
      'loop.agent': { value: 'fast', source: BASE },
      'loop.maxTime': { value: 60, source: 'mine.yaml' },
      'loop.completionTag': { value: 'COMPLETE', source: 'default' },
    });
    expect(await settingsOf(files)).toMatchObject({ 'loop.maxTime': { value: '5m', source: BASE } });
  });

  it('do not include $schema', async () => {
    expect(Object.keys(await settingsOf({ [BASE]: { $schema: './settings.schema.json' } }))).not.toContain('$schema');
  });
});
