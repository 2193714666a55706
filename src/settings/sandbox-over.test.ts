import { expect, it } from 'vitest';
import type { SettingsFile } from './schema/settings-file.ts';
import { sandboxOver } from './wall-of-settings.ts';

it('a host on the command line is added to those of the files; all other values replace them', () => {
  const file: SettingsFile = { sandbox: { mode: 'os', allowHosts: ['a.example'] } };
  expect(sandboxOver(file, { sandbox: { allowHosts: ['b.example', 'a.example'] } })).toEqual({ sandbox: { allowHosts: ['a.example', 'b.example'] } });
  expect(sandboxOver(file, { sandbox: { mode: 'guard' } })).toEqual({ sandbox: { mode: 'guard', allowHosts: ['a.example'] } });
  expect(sandboxOver(file, {})).toEqual({});
});
