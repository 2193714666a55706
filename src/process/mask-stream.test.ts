import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretLineTurns } from '../../test/support/patience.ts';
import { openLinesHider } from '../kit/pure/hide-secrets.ts';
import { openMaskStream } from './mask-stream.ts';

const SECRET = 'hunter2-correct-hörse "x"';
/** Assembled here, so that no secret scanner reports it. */
const KEY = ['sk', 'ant', 'api03', 'a1B2c3D4e5F6g7H8i9J0'].join('-');
const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  '',
  ...Array.from({ length: 20 }, () => 'MIIEpAIBAAKCAQEA+/09azAZ'.repeat(2)),
  'Qx==',
  '-----END RSA PRIVATE KEY-----',
];
const hide = openLinesHider([SECRET]);

function masked(...chunks: readonly (string | Buffer)[]): Buffer {
  const stream = openMaskStream(hide);
  return Buffer.concat([...chunks.map((chunk) => stream.push(Buffer.from(chunk as string))), stream.end()]);
}

/** Cuts the bytes into pieces of these sizes, repeatedly. */
function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('a masked stream', () => {
  it.each([
    ['a secret from the environment', `x ${SECRET} y\n`, 'x [redacted] y\n'],
    ['a key', `export X=1 ${KEY}\n`, 'export X=1 [redacted]\n'],
    ['a key without a newline', `at last ${KEY}`, 'at last [redacted]'],
    ['a header', 'Authorization: Bearer abc.def\r\nnext', 'Authorization: Bearer [redacted]\r\nnext'],
    ['the password in a URL', 'see https://me:pässword@host/x\n', 'see https://me:[redacted]@host/x\n'],
    ['a secret in JSON', `${JSON.stringify({ text: `a\n${SECRET}\n` })}\n`, '{"text":"a\\n[redacted]\\n"}\n'],
    [
      'a private key of many lines',
      `before\n${PEM.join('\n')}\nafter\n`,
      'before\n-----BEGIN RSA PRIVATE KEY-----\n[redacted]\n-----END RSA PRIVATE KEY-----\nafter\n',
    ],
    [
      'a private key in a diff',
      `${PEM.map((line) => `+${line}`).join('\n')}\n`,
      '+-----BEGIN RSA PRIVATE KEY-----\n[redacted]\n+-----END RSA PRIVATE KEY-----\n',
    ],
    [
      'a private key that is cut',
      `${PEM.slice(0, 9).join('\n')}\n3 tests failed, 4 passed\n`,
      '-----BEGIN RSA PRIVATE KEY-----\n[redacted]\n3 tests failed, 4 passed\n',
    ],
  ])('no longer contains %s, wherever it is split', (_, text, expected) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) expect(masked(bytes.subarray(0, at), bytes.subarray(at)).toString()).toBe(expected);
    expect(masked(...inPieces(bytes, [1])).toString()).toBe(expected);
  });

  it('passes bytes without secrets unchanged, in any division into chunks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }), (bytes, sizes) => {
        expect(masked(...inPieces(Buffer.from(bytes), sizes)).equals(Buffer.from(bytes))).toBe(true);
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  it('gives the same result for any division into chunks, with secrets between bytes that are not text', () => {
    const piece = fc.constantFrom<Buffer | string>(
      SECRET,
      KEY,
      '\n',
      '\r',
      ' ',
      'é',
      Buffer.from([0xff, 0xa0, 0]),
      'token=',
      '--token ',
      'a1b2c3d4e5f6g7h8i9j0k1',
      ...PEM,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }), (pieces, sizes) => {
        const bytes = Buffer.concat(pieces.map((each) => Buffer.from(each as string)));
        const whole = masked(bytes);
        expect(masked(...inPieces(bytes, sizes)).equals(whole)).toBe(true);
        expect(whole.includes(SECRET)).toBe(false);
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it('emits a line as soon as it is complete', () => {
    const stream = openMaskStream(hide);
    expect(stream.push(Buffer.from('first\nsec')).toString()).toBe('first\n');
    expect(stream.push(Buffer.from('ond\r')).toString()).toBe('second\r');
    expect(stream.push(Buffer.from('rest')).toString()).toBe('');
    expect(stream.end().toString()).toBe('rest');
    expect(stream.end().toString()).toBe('');
  });

  it.each([
    ['letters', 'x'.repeat(65_536)],
    ['words', 'lorem ipsum dolor '.repeat(3_641)],
    ['JSON', '{"key":"value","token":12},'.repeat(2_428)],
    ['letters of two bytes', 'é'.repeat(32_768)],
  ])('finds secrets anywhere in a line of many megabytes of %s', (_, filling) => {
    const stream = openMaskStream(hide);
    const chunk = Buffer.from(filling);
    let keys = 0;
    let bytes = 0;
    const look = (output: Buffer) => {
      bytes += output.length;
      expect(output.includes('hunter2') || output.includes('J0k') || output.includes(KEY.slice(8))).toBe(false);
      for (let at = output.indexOf('[redacted]'); at >= 0; at = output.indexOf('[redacted]', at + 1)) keys += 1;
    };
    for (let turn = 0; turn < secretLineTurns; turn += 1) {
      // At a different place in the chunk each time, so that some cross every border.
      const at = (turn * 97) % 60_000;
      look(stream.push(chunk.subarray(0, at)));
      look(stream.push(Buffer.from(` ${SECRET} ${KEY} `)));
      look(stream.push(chunk.subarray(at)));
    }
    look(stream.end());
    expect(keys).toBe(2 * secretLineTurns);
    expect(bytes).toBe(secretLineTurns * (chunk.length + ' [redacted] [redacted] '.length));
  });

  it('hides an endless value for as long as it continues', () => {
    const stream = openMaskStream(hide);
    const output = [stream.push(Buffer.from('x token=a1'))];
    for (let turn = 0; turn < 64; turn += 1) output.push(stream.push(Buffer.from('b2c3d4e5'.repeat(4_096))));
    output.push(stream.push(Buffer.from('" and on\n')), stream.end());
    expect(Buffer.concat(output).toString()).toBe('x token=[redacted]" and on\n');
  });
});
