import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { DEFAULTS, type SettingsFile } from '../../model/settings-file.ts';
import { effectiveSettings } from './effective-settings.ts';
import { valueAt } from './value-at.ts';

const BASE = '.ralph/settings.json';
const LOCAL = '.ralph/settings.local.json';

const keysWithDefaults = Object.entries(DEFAULTS).flatMap(([key, value]) =>
  typeof value !== 'object' || Array.isArray(value) ? key : Object.keys(value).map((inside) => `${key}.${inside}`),
);

/** By key: what holds and who says so. */
async function settingsOf(files: Readonly<Record<string, SettingsFile>>) {
  await using folder = await openThrowAwayFolder();
  await mkdir(join(folder.path, '.ralph'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), JSON.stringify(content));
  const settings = await effectiveSettings(folder.path);
  return Object.fromEntries(settings.map(({ path, value, source }) => [path.join('.'), { value, source }]));
}

describe('the effective settings', () => {
  it('are the defaults where there are no files', async () => {
    const { 'agent.command': command, 'agent.model': model, 'agent.kind': kind, reviews, scm, ...others } = await settingsOf({});
    const notSet = { value: undefined, source: 'default' };
    expect([command, model, kind, reviews, scm]).toEqual([notSet, notSet, notSet, notSet, notSet]);
    expect(Object.keys(others).toSorted()).toEqual(keysWithDefaults.toSorted());
    for (const [key, { value, source }] of Object.entries(others))
      expect({ key, value, source }).toEqual({ key, value: valueAt(DEFAULTS, key.split('.')), source: 'default' });
  });

  it('come from the last file that says them, key by key', async () => {
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

  it('have one source for a list, for lists replace each other', async () => {
    const settings = await settingsOf({ [BASE]: { guardrails: [{ command: 'a' }, { command: 'b' }] }, [LOCAL]: { guardrails: [], agent: { flags: ['-v'] } } });
    expect(settings).toMatchObject({ guardrails: { value: [], source: LOCAL }, 'agent.flags': { value: ['-v'], source: LOCAL } });
  });

  it('have the defaults of a group once somebody writes it', async () => {
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

  it('do not count where an editor finds the schema', async () => {
    expect(Object.keys(await settingsOf({ [BASE]: { $schema: './settings.schema.json' } }))).not.toContain('$schema');
  });
});
