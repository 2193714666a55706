import { describe, expect, it } from 'vitest';
import { play, say, settings, started, tool } from '../../../test/support/play-on-console.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';

const SECRET = 'hunter2-correct-horse';
/** Built from parts, so that no scanner takes it for a real key. */
const LOOKS_LIKE_A_KEY = ['sk', 'ant', 'api03', '0123456789abcdefABCDEF'].join('-');

describe('a secret of the environment', () => {
  const hide = openSecretHider([SECRET, 'short', 'first line\nsecond line', 'with "quotes" in it', `${SECRET}-and-more`]);

  it.each([
    ['as it is', `token is ${SECRET}.`, 'token is [redacted].'],
    ['more than once', `${SECRET} ${SECRET}`, '[redacted] [redacted]'],
    ['that is the beginning of another', `${SECRET}-and-more`, '[redacted]'],
    ['where a line was cut inside it', `echo ${SECRET.slice(0, 12)}...`, 'echo [redacted]...'],
    ['where a line ends inside it', `echo ${SECRET.slice(0, 12)}`, 'echo [redacted]'],
    ['line by line', 'x second line y', 'x [redacted] y'],
    ['as JSON spells it', String.raw`{"a":"with \"quotes\" in it"}`, '{"a":"[redacted]"}'],
    ['that looks like a key without being known', LOOKS_LIKE_A_KEY, '[redacted]'],
  ])('is removed %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each(['short', 'hunter2', 'a plain line', ''])('is not assumed in %j', (text) => {
    expect(hide(text)).toBe(text);
  });
});

describe('the console', () => {
  it('never shows a key from the settings, not even with --verbose', () => {
    const agent = { ...settings.agent, flags: ['--api-key', LOOKS_LIKE_A_KEY] };
    const screen = play([started({ agent })], { verbose: true });
    expect(screen).not.toContain(LOOKS_LIKE_A_KEY.slice(-8));
    expect(screen).toContain('"flags":["--api-key","[redacted]"]');
    expect(screen).toContain('  agent       claude --api-key [redacted] (model opus)\n');
  });

  it('never shows a secret, wherever an agent prints it', () => {
    const hostile = `${SECRET.slice(0, 5)}\u001b[0m${SECRET.slice(5)}`;
    const screen = play([say(`It is ${SECRET}`), tool('a', 'Bash', { command: `curl -u me:${SECRET} ${'x'.repeat(60)}` }), say(hostile)], {
      secrets: [SECRET],
    });
    expect(screen).not.toContain('hunter2-');
    expect(screen).toContain('It is [redacted]\n⏺ Bash(curl -u me:[redacted] ');
  });

  it('never shows the rest of a secret that was cut', () => {
    const screen = play([tool('a', 'Bash', { command: `${'x'.repeat(40)} ${SECRET}` })], { secrets: [SECRET] });
    expect(screen).toBe(`⏺ Bash(${'x'.repeat(40)} [redacted]...)\n`);
  });
});
