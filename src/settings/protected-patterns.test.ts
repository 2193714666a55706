import { describe, expect, it } from 'vitest';
import { protectedPatterns } from './run-limits.ts';
import { runSettings } from './run-settings.ts';
import { DEFAULTS } from './schema/settings-defaults.ts';

const agent = { agent: { command: 'claude' } };
const settings = (file: object, over: object = {}) => runSettings({ ...agent, ...file }, { prompt: { from: 'text', text: 'x' }, over }, '/project');

describe('protected paths', () => {
  it('are empty by default', () => {
    expect(DEFAULTS.protect).toEqual([]);
    expect(settings({}).protect).toEqual([]);
  });

  it('are those of the files and the command line together, without duplicates', () => {
    expect(settings({ protect: ['tests/**', 'a'] }, { protect: ['a', 'b'] }).protect).toEqual(['tests/**', 'a', 'b']);
  });

  it.each(['../x', '/etc/passwd', 'a/../../b', 'a\\..\\b'])('refuse %s, which leads out of the repository', (pattern) => {
    expect(() => protectedPatterns('protect', ['ok', pattern])).toThrow(/protect: .* leads out of the repository/);
  });
});
