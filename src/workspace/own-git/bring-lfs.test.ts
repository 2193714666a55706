import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { bringLfs } from './bring-lfs.ts';

const TEXT = 'large\n';
const ID = createHash('sha256').update(TEXT).digest('hex');
const WAY = ['lfs', 'objects', ID.slice(0, 2), ID.slice(2, 4), ID];

/** An agent's repository and the operator's, and a folder outside with the same object. */
async function openPlace() {
  const folder = await openThrowAwayFolder();
  const [from, to, outside] = ['agent', 'operator', 'outside'].map((name) => join(folder.path, name)) as [string, string, string];
  for (const place of [from, outside]) {
    await mkdir(join(place, ...WAY.slice(0, -1)), { recursive: true });
    await writeFile(join(place, ...WAY), TEXT);
  }
  await mkdir(to);
  /** Replaces a part of the way by a link to the same part outside. */
  const link = async (place: string, depth: number) => {
    const at = WAY.slice(0, depth);
    await mkdir(join(place, ...at.slice(0, -1)), { recursive: true });
    await rm(join(place, ...at), { recursive: true, force: true });
    await symlink(join(outside, ...at), join(place, ...at));
  };
  return { from, to, outside, link, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('an object of git-lfs comes over if its content matches its name', async () => {
  await using place = await openPlace();
  await bringLfs(place.from, place.to);
  expect(readFileSync(join(place.to, ...WAY), 'utf8')).toBe(TEXT);
});

it.each([1, 2, 3, 4, 5])('nothing comes over through a link in part %i of its way', async (depth) => {
  await using place = await openPlace();
  await place.link(place.from, depth);
  await bringLfs(place.from, place.to);
  expect(existsSync(join(place.to, 'lfs'))).toBe(false);
});

it.each([2, 3, 4])('nothing is written through a link in part %i of the operator’s store', async (depth) => {
  await using place = await openPlace();
  const { from, to, outside, link } = place;
  await link(to, depth);
  await rm(join(outside, ...WAY));
  await expect(bringLfs(from, to)).rejects.toThrow('is not a folder');
  expect(readdirSync(outside, { recursive: true }).length).toBe(WAY.length - 1);
});
