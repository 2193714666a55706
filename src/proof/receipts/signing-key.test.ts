import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { fingerprintOf } from './dsse.ts';
import { knownSigningKey, openSigningKey, publicHalf } from './signing-key.ts';

async function openConfig() {
  const folder = await openThrowAwayFolder();
  const env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  const file = join(folder.path, 'config', 'ralph', 'receipt-key.pem');
  return { ...folder, env, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the key that signs receipts', () => {
  it('is made on first use, for its owner only, and stays the same', async () => {
    await using place = await openConfig();
    expect(await knownSigningKey(place.env)).toBeNull();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openSigningKey(place.env, null)));
    const prints = new Set(opened.map((each) => ('key' in each ? fingerprintOf(each.key) : each.why)));
    expect([...prints]).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(place.file, '..'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(place.file, '..'))).toEqual(['receipt-key.pem']);
    const known = await knownSigningKey(place.env);
    expect(known && [...prints].includes(fingerprintOf(known.key))).toBe(true);
    expect(known && publicHalf(known.key)).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });

  const broken: readonly (readonly [string, (file: string) => Promise<unknown>, RegExp])[] = [
    ['others can read it', (file) => chmod(file, 0o640), /^others can read .*: chmod 600 it/],
    ['it holds something else', (file) => writeFile(file, 'my shopping list'), /is no Ed25519 key/],
    ['a folder is in its place', (file) => rename(file, `${file}.old`).then(() => mkdir(file)), /is no key$/],
    ['a link leads elsewhere', (file) => rename(file, `${file}.old`).then(() => symlink(`${file}.old`, file)), /ELOOP/],
  ];
  it.each(broken)('is not used if %s, and is left as it is', async (_, harm, why) => {
    await using place = await openConfig();
    await openSigningKey(place.env, null);
    const before = await readFile(place.file, 'utf8');
    await harm(place.file);
    expect(await openSigningKey(place.env, null)).toEqual({ why: expect.stringMatching(why) as string });
    expect(await knownSigningKey(place.env)).toBeNull();
    expect(await readFile(place.file, 'utf8').catch(() => before)).toMatch(/PRIVATE|shopping/);
  });

  it('is not made if the folder cannot be written', async () => {
    await using place = await openConfig();
    await writeFile(join(place.path, 'config'), 'a file');
    expect(await openSigningKey(place.env, null)).toEqual({ why: expect.stringMatching(/^the key cannot be read or made: /) as string });
  });

  it('is never in the work tree, not even by a link', async () => {
    await using place = await openConfig();
    const tree = join(place.path, 'tree');
    await mkdir(tree);
    await symlink(tree, join(place.path, 'config'));
    expect(await openSigningKey(place.env, tree)).toEqual({ why: expect.stringMatching(/^the key would lie in the work tree/) as string });
    expect(await readdir(tree)).toEqual([]);
  });
});
