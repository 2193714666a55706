import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { redact } from './redact.ts';

/** Not a real key, and never complete in this file, because secret scanners read it too. */
const body = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const keys = [
  `sk-${body}`,
  `sk-ant-api03-${body}-${body}`,
  `sk_live_${body}`,
  `ghp_${body}`,
  `gho_${body}`,
  `github_pat_${body}_${body}`,
  `glpat-${body}`,
  `xoxb-123456789012-${body}`,
  `AKIA${'ABCDEFGH12345678'}`,
  `AIza${body}`,
  `npm_${body}`,
  `hf_${body}`,
  `sgamp_user_${body}`,
  `xai-${body}`,
  `dop_v1_${body}`,
  `SG.${body.slice(0, 22)}.${body}`,
  `sq0atp-${body.slice(0, 22)}`,
  `ya29.${body}`,
  `pypi-${body}`,
  `eyJ${body}.eyJ${body}.${body}`,
];

describe('redact', () => {
  it.each(keys)('hides %s anywhere in a text', (key) => {
    expect(redact(key)).toBe('[redacted]');
    expect(redact(`with ${key}, and "${key}".`)).toBe('with [redacted], and "[redacted]".');
    expect(redact(`{"text": "first\\n${key}\\n"}`)).toBe('{"text": "first\\n[redacted]\\n"}');
  });

  it.each([
    ['--api-key abc', '--api-key [redacted]'],
    ['--api-key=abc --verbose', '--api-key=[redacted] --verbose'],
    ['--openai-api-key "it\'s c" --verbose', '--openai-api-key "[redacted]" --verbose'],
    ['{"command": "x --token \\"a b\\" y"}', '{"command": "x --token \\"[redacted]\\" y"}'],
    ['--token "cut', '--token [redacted]'],
    ["--password 'hunter two'", "--password '[redacted]'"],
    ['-token=abc', '-token=[redacted]'],
    ['["--verbose", "--auth-token", "abc", "--model", "opus"]', '["--verbose", "--auth-token", "[redacted]", "--model", "opus"]'],
    ['ANTHROPIC_API_KEY=abc claude', 'ANTHROPIC_API_KEY=[redacted] claude'],
    ["export GITHUB_TOKEN='abc'", "export GITHUB_TOKEN='[redacted]'"],
    ['DB_PASSWORD="hunter2hunter2"', 'DB_PASSWORD="[redacted]"'],
    ['{"apiKey": "a1b2c3d4"}', '{"apiKey": "[redacted]"}'],
    ["password: 'correct7horse'", "password: '[redacted]'"],
    ['aws_secret_access_key = wJalrXUtnFEMI9K7MDENGbPxRfiCYEXAMPLE', 'aws_secret_access_key = [redacted]'],
    ['Authorization: Bearer abc', 'Authorization: Bearer [redacted]'],
    ['"Authorization": "Basic dXNlcjpwYXNz"', '"Authorization": "Basic [redacted]"'],
    ['curl -H "authorization: token abc"', 'curl -H "authorization: token [redacted]"'],
    ['the bearer a1b2c3d4e5 was refused', 'the bearer [redacted] was refused'],
    ['https://me:pass@host/path', 'https://me:[redacted]@host/path'],
    ['postgres://app:p:a:s:s@localhost:5432/db?a=b@c', 'postgres://app:[redacted]@localhost:5432/db?a=b@c'],
    ['https://host/path?access_token=abc&page=2#top', 'https://host/path?access_token=[redacted]&page=2#top'],
    ['https://host/path?page=2&api_key=abc', 'https://host/path?page=2&api_key=[redacted]'],
    ['redis://:pass@cache', 'redis://:[redacted]@cache'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\nMIIE+/=\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIE and cut', '-----BEGIN PRIVATE KEY-----[redacted]'],
  ])('turns %j into %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'commit 85e695a1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7',
    '123e4567-e89b-12d3-a456-426614174000',
    'sha512-9MDEbDPmVSaYvSLYMNvXcZzFqgBRHjvtzRkxaPpXVc4+J4W2oYfBDJm0zvQJ8mHGbd2YqX/Ww==',
    '/home/me/task-1234567890-abcdefghij/ask-skill-1234567890/src/token.ts:12:5',
    'risk-assessment-2024-of-the-whole-house',
    '.sk-estimator-doc-link-wrapper { color: red }',
    'const token = await readToken(1, 2);',
    'const apiKey = config2.apiKey ?? process.env.API_KEY;',
    'function login(password: string, token: Token2): void {}',
    "const labels = { password: 'Passwort', token: 'identifier' };",
    'if (token === "identifier") { secret = null; }',
    'claude --max-tokens 4000 --tokenizer bpe2 --token-limit 5',
    'ralph login --token <token> --api-key $ANTHROPIC_API_KEY',
    'API_KEY=$OTHER_KEY API_KEY=${OTHER} TOKEN="" SECRET=$(pass show it)',
    'Bearer authentication is what the Bearer token is for',
    'http://localhost:3000/a@b git@github.com:me/it.git http://host:80?mail=a@b',
    "const mark = '-----BEGIN PRIVATE KEY-----';\nif (text.includes(mark)) refuse();",
    '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
    `data:image/png;base64,iVBORw0KGgo${'aZ09+/'.repeat(40)}=`,
    'npm_package_dependencies_are_listed_here npm_lifecycle_event_of_this_run',
    '20261115T212216Z-1a2b3c4d run~1/2.1 refs/ralph/kept/0123456789abcdef',
    '🙂 \ud800 lone, \0 and \u001b[31mred',
    '',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('gives the same result when applied again', () => {
    const piece = fc.constantFrom(
      ...keys,
      '--api-key ',
      'TOKEN=',
      '": "',
      "'",
      '"',
      ' ',
      '=',
      ':',
      '//',
      '@',
      'abc1',
      '\n',
      '-----BEGIN PRIVATE KEY-----',
      '[redacted]',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = redact(pieces.join(''));
        expect(redact(once)).toBe(once);
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it.each([
    'a',
    '-',
    '--',
    '--a',
    '--token',
    '--token ',
    '--token "',
    "--token '",
    '--token=',
    'token=',
    'token="',
    'TOKEN = ',
    ' ',
    '\n',
    '"',
    '://',
    '://a:',
    'a://b:c',
    'sk-',
    'sk-a',
    'eyJ',
    'eyJaaaaaaaaaaaa.',
    'eyJaaaaaaaaaaaa.aaaaaaaaaaaa',
    'bearer ',
    'authorization:',
    'authorization: a ',
    '-----BEGIN PRIVATE KEY-----',
    '-----',
    'BEGIN PRIVATE KEY',
    '\\n',
    'AKIA',
    'é',
    '1',
    'token=1a',
    'api-',
    'secret_key_',
    '?',
    '&a',
    '?token=',
  ])('takes linear time for a megabyte of %j', async (piece) => {
    expect(await cpuMs(() => redact(piece.repeat(1_000_000 / piece.length)))).toBeLessThan(3_000);
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof redact(text)).toBe('string');
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
