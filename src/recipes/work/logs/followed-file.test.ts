import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFollowedFile } from './tail-log.ts';

let folder: string;
let path: string;
let heard: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-follow-'));
  path = join(folder, 'log');
  heard = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const follow = (lastBytes = 1_000) => openFollowedFile(path, lastBytes, (line) => heard.push(line));

describe('a followed log', () => {
  it('is reported line by line as it grows, never half a line', () => {
    writeFileSync(path, 'a\nb');
    using file = follow();
    file.listen();
    expect(heard).toEqual(['a']);
    appendFileSync(path, 'c\nd\n');
    file.listen();
    expect(heard).toEqual(['a', 'bc', 'd']);
  });

  it('starts near its end, with a whole line', () => {
    writeFileSync(path, `${'x'.repeat(100)}\nlast\n`);
    using file = follow(20);
    file.listen();
    expect(heard).toEqual(['last']);
  });

  it('continues from the beginning when it is emptied', () => {
    writeFileSync(path, 'one\ntwo\n');
    using file = follow();
    file.listen();
    truncateSync(path, 0);
    appendFileSync(path, 'new\n');
    file.listen();
    expect(heard).toEqual(['one', 'two', 'new']);
  });

  it('continues with the new file when it is moved away, and misses nothing of the old one', () => {
    writeFileSync(path, 'one\n');
    using file = follow();
    file.listen();
    appendFileSync(path, 'late\n');
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'new\n');
    file.listen();
    expect(heard).toEqual(['one', 'late', 'new']);
  });

  it('may be missing at first, or for a while', () => {
    using file = follow();
    file.listen();
    expect(file.isThere).toBe(false);
    writeFileSync(path, 'one\n');
    file.listen();
    rmSync(path);
    file.listen();
    writeFileSync(path, 'two\n');
    file.listen();
    expect(heard).toEqual(['one', 'two']);
  });

  it.each([
    ['a folder', () => mkdirSync(path)],
    ['a link', () => symlinkSync('/etc/passwd', path)],
  ])('is not read when %s has its name', (_name, put) => {
    put();
    using file = follow();
    file.listen();
    expect([file.isThere, heard]).toEqual([false, []]);
  });
});
