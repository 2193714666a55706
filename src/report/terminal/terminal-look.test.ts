import { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { canRewriteLines, terminalLook } from './terminal-look.ts';

/** A terminal judged by Node's own rules for its environment. */
const terminal = { isTTY: true, columns: 100, hasColors: WriteStream.prototype.hasColors, getColorDepth: WriteStream.prototype.getColorDepth } as WriteStream;
const pipe = { isTTY: false } as WriteStream;

describe('the look of a stream', () => {
  it.each<[string, WriteStream, Record<string, string>, { width: number; colour: boolean }]>([
    ['a terminal has colours and an edge', terminal, { TERM: 'xterm-256color' }, { width: 100, colour: true }],
    ['a terminal that does not say how wide it is has 80 columns', { ...terminal, columns: 0 } as WriteStream, { TERM: 'xterm' }, { width: 80, colour: true }],
    ['a terminal that can do nothing has none', terminal, { TERM: 'dumb' }, { width: 100, colour: false }],
    ['NO_COLOR is obeyed', terminal, { TERM: 'xterm-256color', NO_COLOR: '1' }, { width: 100, colour: false }],
    ['NO_COLOR is obeyed whatever else is set', terminal, { TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: '3' }, { width: 100, colour: false }],
    ['a pipe or a file has neither', pipe, { TERM: 'xterm-256color', FORCE_COLOR: '3' }, { width: 0, colour: false }],
  ])('%s', (_, stream, env, expected) => {
    expect(terminalLook(stream, env)).toEqual(expected);
  });
});

describe('a line that is rewritten in place', () => {
  it.each<[string, WriteStream, Record<string, string>, boolean]>([
    ['is for terminals', terminal, { TERM: 'xterm' }, true],
    ['is nothing for one that can do nothing', terminal, { TERM: 'dumb' }, false],
    ['is nothing for the log of a build, terminal or not', terminal, { TERM: 'xterm', CI: 'true' }, false],
    ['is nothing for a pipe or a file', pipe, { TERM: 'xterm' }, false],
  ])('%s', (_, stream, env, expected) => {
    expect(canRewriteLines(stream, env)).toBe(expected);
  });
});
