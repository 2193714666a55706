import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyRuns } from '../../../test/support/patience.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openFileBus, type Posting } from './file-bus.ts';
import { scan } from './scan.ts';
import { readYamlMap } from './yaml-subset.ts';

let folder: ThrowAwayFolder;
let path = '';
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  path = join(folder.path, 'BUS.md');
});
afterAll(() => folder[Symbol.asyncDispose]());

const text = fc.string({ unit: 'binary' });
/** Bodies made of the file's own syntax. */
const line = fc.constantFrom(
  '---',
  ' ---',
  '--- ',
  '---\r',
  '-',
  '',
  'msg_id: MSG-1',
  ' type: FACT',
  'body_bytes: 3',
  'body_disguised: true',
  '[2026-01-01 00:00:00] FACT: x',
);
const body = fc.oneof(
  text,
  fc.array(fc.oneof(line, text)).map((lines) => lines.join('\n')),
);
const posting: fc.Arbitrary<Posting> = fc.record(
  {
    type: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/).filter((type) => type !== 'ISSUE'),
    project_id: text,
    body,
    task_id: text,
    run_id: text,
    issue_id: text,
    parents: fc.array(fc.record({ msg_id: text, kind: text, meta: fc.dictionary(text, text) }, { requiredKeys: ['msg_id'] })),
    links: fc.array(fc.record({ url: text, label: text, kind: text }, { requiredKeys: ['url'] })),
    meta: fc.dictionary(text, text),
  },
  { requiredKeys: ['type', 'project_id', 'body'] },
);

describe('a bus in a file', () => {
  it('returns every message as it was posted, alone and among others, read from any place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(posting, { minLength: 1, maxLength: 5 }), async (postings) => {
        await rm(path, { force: true });
        using bus = openFileBus(path);
        const ids: string[] = [];
        for (const each of postings) ids.push(await bus.post(each));
        const stamped = postings.map((each, n) => ({ ...each, msg_id: ids[n], ts: expect.any(String) }));
        expect(await bus.last(99)).toEqual(stamped);
        for (const [n, id] of ids.entries()) expect(await bus.since(id)).toEqual(stamped.slice(n + 1));
      }),
      manyRuns(300),
    );
  });

  it('returns every body, whatever its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (array) => {
        await rm(path, { force: true });
        using bus = openFileBus(path);
        const body_base64 = Buffer.from(array).toString('base64');
        await bus.post({ type: 'INFO', project_id: 'demo', body: '', body_base64 });
        const [found] = await bus.last(2);
        expect(found?.body_base64 ?? Buffer.from(found?.body ?? '').toString('base64')).toBe(body_base64);
      }),
      manyRuns(300),
    );
  });

  it('is read without an error whatever the file contains', async () => {
    const junk = fc
      .array(fc.oneof(line, text, fc.constantFrom('parents:', '- a: b', '  - c', 'meta: {"a":', 'type: "x', 'body_bytes: 0')))
      .map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(junk, async (content) => {
        await writeFile(path, content);
        expect(Array.isArray(await openFileBus(path).last(9))).toBe(true);
        expect(typeof readYamlMap(content)).toBe('object');
      }),
      manyRuns(300),
    );
  });

  it('gives the same messages from a piece of the file as from the whole, as far as the piece goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(posting, { minLength: 1, maxLength: 4 }), fc.nat(), async (postings, cut) => {
        await rm(path, { force: true });
        using bus = openFileBus(path);
        for (const each of postings) await bus.post(each);
        const bytes = await readFile(path);
        const pieceAt = (start: number) => scan({ bytes: bytes.subarray(start), startsBetween: start === 0, isFileEnd: true, lineNumber: () => 1 });
        const whole = pieceAt(0).map(({ message }) => message);
        const part = pieceAt(cut % bytes.length).map(({ message }) => message);
        expect(part).toEqual(part.length === 0 ? [] : whole.slice(-part.length));
      }),
      manyRuns(300),
    );
  });
});
