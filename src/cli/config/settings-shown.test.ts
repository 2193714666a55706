import { describe, expect, it } from 'vitest';
import { settingsJson, settingsTable } from './config.ts';

const BASE = '.ralph/settings.json';
const setting = (key: string, value: unknown, source = 'default') => ({ path: key.split('.'), value, source });

describe('the table of settings', () => {
  it('shows each setting on a line in columns, and each item of a list on its own line', () => {
    const table = settingsTable([
      setting('agent.command', undefined),
      setting('agent.flags', ['--verbose', '--model opus'], BASE),
      setting('maximumIterations', 10),
      setting('guardrails', []),
    ]);
    expect(table).toBe(
      [
        'agent.command      default               not set',
        'agent.flags        .ralph/settings.json  - "--verbose"',
        '                                         - "--model opus"',
        'maximumIterations  default               10',
        'guardrails         default               []',
        '',
      ].join('\n'),
    );
  });

  it('cuts a value to one line, even with line breaks and control characters in it', () => {
    const table = settingsTable([setting('completionResponse', `two\nlines \u009b2J\u2028${'x'.repeat(1000)}`)]);
    expect(table).toMatch(/^completionResponse {2}default {2}"two\\nlines {2}2J x{50,}…\n$/);
    expect(table.length).toBeLessThan(160);
  });
});

describe('the settings as JSON', () => {
  it('have the shape of a settings file, with the source of each beside them', () => {
    const json = settingsJson([
      setting('agent.command', undefined),
      setting('agent.flags', ['a'], BASE),
      setting('maximumIterations', 10),
      setting('scm', undefined),
    ]);
    expect(JSON.parse(json)).toEqual({
      settings: { agent: { command: null, flags: ['a'] }, maximumIterations: 10, scm: null },
      sources: { 'agent.command': 'default', 'agent.flags': BASE, maximumIterations: 'default', scm: 'default' },
    });
  });

  it('contain long values in full', () => {
    expect(settingsJson([setting('completionResponse', 'x'.repeat(1000))])).toContain('x'.repeat(1000));
  });
});

describe('the table and the JSON', () => {
  const key = `sk-${'a1B2c3D4'.repeat(4)}`;

  it.each<[string, unknown]>([
    ['in a command', `claude --settings ${key}`],
    ['after its flag', 'claude --api-key hunter2hunter2'],
    ['in the list item after its flag', ['--verbose', '--api-key', 'hunter2hunter2', '--debug']],
    ['in the same list item as its flag', ['--token hunter2hunter2']],
    ['inside of a list of objects', [{ command: 'curl https://me:hunter2hunter2@host', hint: key }]],
  ])('redact a secret %s', (_where, value) => {
    for (const shown of [settingsTable([setting('x', value)]), settingsJson([setting('x', value)])]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toMatch(/hunter2|sk-/);
    }
  });

  it('do not redact flags whose names only resemble those of secrets', () => {
    const flags = ['--max-tokens', '4000', '--model', 'opus', '--verbose'];
    expect(JSON.parse(settingsJson([setting('agent.flags', flags)])).settings).toEqual({ agent: { flags } });
  });
});
