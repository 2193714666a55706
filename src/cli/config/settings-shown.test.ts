import { describe, expect, it } from 'vitest';
import { settingsJson, settingsTable } from './config.ts';

const BASE = '.ralph/settings.json';
const setting = (key: string, value: unknown, source = 'default') => ({ path: key.split('.'), value, source });

describe('the table of settings', () => {
  it('has a line for each, in columns, and one for each item of a list', () => {
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

  it('keeps a value on its line, whatever is in it', () => {
    const table = settingsTable([setting('completionResponse', `two\nlines \u009b2J\u2028${'x'.repeat(1000)}`)]);
    expect(table).toMatch(/^completionResponse {2}default {2}"two\\nlines {2}2J x{50,}…\n$/);
    expect(table.length).toBeLessThan(160);
  });
});

describe('the settings as JSON', () => {
  it('are where a settings file has them, with who says them beside', () => {
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

  it('are whole', () => {
    expect(settingsJson([setting('completionResponse', 'x'.repeat(1000))])).toContain('x'.repeat(1000));
  });
});

describe('neither', () => {
  const key = `sk-${'a1B2c3D4'.repeat(4)}`;

  it.each<[string, unknown]>([
    ['in a command', `claude --settings ${key}`],
    ['after its flag', 'claude --api-key hunter2hunter2'],
    ['in an item of its own after its flag', ['--verbose', '--api-key', 'hunter2hunter2', '--debug']],
    ['in one item with its flag', ['--token hunter2hunter2']],
    ['inside of a list of objects', [{ command: 'curl https://me:hunter2hunter2@host', hint: key }]],
  ])('shows a secret %s', (_where, value) => {
    for (const shown of [settingsTable([setting('x', value)]), settingsJson([setting('x', value)])]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toMatch(/hunter2|sk-/);
    }
  });

  it('hides what is none', () => {
    const flags = ['--max-tokens', '4000', '--model', 'opus', '--verbose'];
    expect(JSON.parse(settingsJson([setting('agent.flags', flags)])).settings).toEqual({ agent: { flags } });
  });
});
