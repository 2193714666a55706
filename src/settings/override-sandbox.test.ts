import { expect, it } from 'vitest';
import { overrideSandbox } from './sandbox-of-settings.ts';
import type { SettingsFile } from './schema/settings-file.ts';

it('a host on the command line is added to those of the files; all other values replace them', () => {
  const file: SettingsFile = { sandbox: { mode: 'os', allowHosts: ['a.example'] } };
  expect(overrideSandbox(file, { sandbox: { allowHosts: ['b.example', 'a.example'] } })).toEqual({ sandbox: { allowHosts: ['a.example', 'b.example'] } });
  expect(overrideSandbox(file, { sandbox: { mode: 'guard' } })).toEqual({ sandbox: { mode: 'guard', allowHosts: ['a.example'] } });
  expect(overrideSandbox(file, {})).toEqual({});
});
