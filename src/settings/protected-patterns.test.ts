import { describe, expect, it } from 'vitest';
import { protectedPatterns } from './run-limits.ts';
import { runSettings } from './run-settings.ts';
import { DEFAULTS } from './schema/settings-file.ts';

const agent = { agent: { command: 'claude' } };
const settings = (file: object, over: object = {}) => runSettings({ ...agent, ...file }, { prompt: { from: 'text', text: 'x' }, over }, '/project');

describe('what is protected', () => {
  it('is nothing where nobody says so', () => {
    expect(DEFAULTS.protect).toEqual([]);
    expect(settings({}).protect).toEqual([]);
  });

  it('is what the files and the command line name together, each once', () => {
    expect(settings({ protect: ['tests/**', 'a'] }, { protect: ['a', 'b'] }).protect).toEqual(['tests/**', 'a', 'b']);
  });

  it.each(['../x', '/etc/passwd', 'a/../../b', 'a\\..\\b'])('leads never out of the repository, as %s would', (pattern) => {
    expect(() => protectedPatterns('protect', ['ok', pattern])).toThrow(/protect: .* leads out of the repository/);
  });
});
