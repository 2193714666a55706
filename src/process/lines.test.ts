import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../test/support/patience.ts';
import { splitLines } from './lines.ts';

function linesOf(chunks: readonly Buffer[], maxLineBytes = 1_000_000): readonly string[] {
  const lines: string[] = [];
  const splitter = splitLines(maxLineBytes, (line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

const oneByteAtATime = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]));

describe('splitLines', () => {
  it.each([
    ['nothing', '', []],
    ['an empty line', '\n', ['']],
    ['two lines', 'a\nb\n', ['a', 'b']],
    ['a last line without a newline', 'a\nb', ['a', 'b']],
    ['Windows line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['a carriage return inside a line', 'a\rb\n', ['a\rb']],
    ['two carriage returns, of which one stays', 'a\r\r\n', ['a\r']],
    ['NUL', 'a\0b\n', ['a\0b']],
    ['characters of several bytes', 'ä€😀\n', ['ä€😀']],
  ])('splits %s, in one chunk or byte by byte', (_, text, lines) => {
    expect(linesOf([Buffer.from(text)])).toEqual(lines);
    expect(linesOf(oneByteAtATime(Buffer.from(text)))).toEqual(lines);
  });

  it('replaces invalid UTF-8', () => {
    expect(linesOf([Buffer.from([0xff, 0x41, 0x0a])])).toEqual(['\uFFFDA']);
  });

  it('cuts a line that is too long and continues with the next', () => {
    const chunks = [Buffer.from('12345'), Buffer.from('67890\nab\n1234567'), Buffer.from('\n')];
    expect(linesOf(chunks, 6)).toEqual(['123456', 'ab', '123456']);
  });

  it('returns the same lines for any division into chunks', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array.map((byte) => (byte % 5 === 0 ? 0x0a : byte % 7 === 0 ? 0x0d : byte))));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat({ max: 30 })), fc.integer({ min: 1, max: 50 }), (all, sizes, maxLineBytes) => {
        const chunks: Buffer[] = [];
        let rest = all;
        for (const size of sizes) {
          chunks.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        expect(linesOf([...chunks, rest], maxLineBytes)).toEqual(linesOf([all], maxLineBytes));
      }),
      manyRuns(500),
    );
  });

  it('reads a long line byte by byte in linear time', () => {
    const byte = Buffer.from('x');
    let length = 0;
    const splitter = splitLines(64 * 1024 * 1024, (line) => {
      length = line.length;
    });
    for (let count = 0; count < 3_000_000; count += 1) splitter.push(byte);
    splitter.end();
    expect(length).toBe(3_000_000);
  }, 20_000);
});
