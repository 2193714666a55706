import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.ts';
import { lastEntries, logFileIn, tailLog } from './tail-log.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-tail-'));
  path = logFileIn(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = (iteration: number) => `${JSON.stringify({ timestamp: 't', iteration, action: 'started', outcome: 'o', more: true })}\n`;
const entries = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => entry(from + index)).join('');

describe('the last entries of a log', () => {
  it('are reported in order, with all their fields', async () => {
    await writeFile(path, entries(1, 1_000));
    expect((await lastEntries(folder, 3)).map(({ iteration }) => iteration)).toEqual([998, 999, 1_000]);
    expect(await lastEntries(folder, 1)).toEqual([JSON.parse(entry(1_000))]);
    expect(await lastEntries(folder, 0)).toEqual([]);
  });

  it('leave out lines that are not entries', async () => {
    await writeFile(path, `${entry(1)}{"torn\nnull\n[]\n{"iteration":"2"}\n\u0000\n${entry(2)}`);
    expect((await lastEntries(folder, 5)).map(({ iteration }) => iteration)).toEqual([1, 2]);
  });

  it('are empty without a log', async () => {
    expect(await lastEntries(join(folder, 'nowhere'), 5)).toEqual([]);
  });
});

describe('a followed log', () => {
  it('reports new entries, also after it was moved away, until it is stopped', async () => {
    await writeFile(path, entries(1, 3));
    const control = new AbortController();
    const heard: number[] = [];
    const tail = tailLog(folder, ({ iteration }) => heard.push(iteration), { most: 1, follow: true, signal: control.signal });
    await appendFile(path, entry(4));
    await until('4 is told', () => heard.includes(4));
    await rename(path, `${path}.1`);
    await writeFile(path, entry(5));
    await until('5 is told', () => heard.includes(5));
    control.abort();
    expect(await tail).toBe(true);
    expect(heard).toEqual([3, 4, 5]);
  });
});
