import { describe, expect, it } from 'vitest';
import { openLinesHider, openSecretHider } from './hide-secrets.ts';

const SECRET = 'hünter2/correct+horse "x"\\';
/** The secret in base64, between other texts. */
const inBase64 = (before: string, after: string) => btoa(unescapedBytes(`${before}${SECRET}${after}`));
const unescapedBytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

describe.each([
  ['a text', openSecretHider([SECRET])],
  ['lines', openLinesHider([SECRET])],
])('a secret in %s is hidden', (_, hide) => {
  it.each([
    ['as it is', `x ${SECRET} y`],
    ['in JSON', JSON.stringify({ text: `x ${SECRET} y` })],
    ['in JSON inside of JSON', JSON.stringify({ text: JSON.stringify({ text: SECRET }) })],
    ['in a URL', `https://host/?q=${encodeURIComponent(SECRET)}&x=1`],
    ['in base64', inBase64('', '')],
    ['in base64 after a user name', inBase64('me:', '\n')],
    ['in base64 at an offset of one byte', inBase64('u', ' and on')],
    ['in base64 at an offset of two bytes', inBase64('me', ' and on')],
    ['in URL-safe base64', inBase64('me', '').replaceAll('+', '-').replaceAll('/', '_')],
    ['as bytes', unescapedBytes(SECRET)],
  ])('%s', (_how, text) => {
    expect(hide(text)).toContain('[redacted]');
    expect(hide(text)).not.toContain('correct');
    expect(hide(hide(text))).toBe(hide(text));
  });

  it('without hiding anything else', () => {
    for (const text of ['hünter2', 'a plain line\nand another', '', '\n', 'aMO8bnRlcjI=']) expect(hide(text)).toBe(text);
  });
});

describe('a secret of many lines', () => {
  const pem = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSj', '-----END PRIVATE KEY-----'].join('\n');

  it('is hidden line by line, but the PEM markers stay', () => {
    const hide = openLinesHider([pem]);
    expect(hide(`one line: AQEFAASCBKcwggSj\n-----BEGIN PRIVATE KEY-----\n`)).toBe('one line: [redacted]\n-----BEGIN PRIVATE KEY-----\n');
  });
});

describe('many lines', () => {
  it('are handled one by one', () => {
    const hide = openLinesHider([]);
    expect(hide('--token\nabc\nTOKEN=def\r\nok\rPASSWORD=ghi\r')).toBe('--token\nabc\nTOKEN=[redacted]\r\nok\rPASSWORD=[redacted]\r');
  });
});
