import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepo, type Repo } from '../../test/support/repo.ts';
import { packNowAndThen } from './pack-objects.ts';

const packsIn = (repo: Repo) => readdirSync(join(repo.path, '.git/objects/pack')).filter((name) => name.endsWith('.pack')).length;
const packed = (repo: Repo) => packNowAndThen({ commonDir: join(repo.path, '.git'), topLevel: repo.path }, process.env as Record<string, string>);

/** A pack with one object that nothing refers to. */
async function addPack(repo: Repo, text: string): Promise<string> {
  const id = repo.git('hash-object', '-w', await repo.write(`../beside/${text}`, text));
  repo.git('-c', 'alias.pack=!f() { echo "$1" | git pack-objects -q .git/objects/pack/pack >/dev/null; git prune-packed; }; f', 'pack', id);
  return id;
}

it('many small packs become few, and no object is lost, not even one that nothing refers to', async () => {
  await using repo = await openRepo();
  const ids: string[] = [];
  for (let n = 0; n < 49; n += 1) ids.push(await addPack(repo, `text ${n}`));
  expect([packsIn(repo), await packed(repo)]).toEqual([49, false]);
  ids.push(await addPack(repo, 'one more'));
  expect([packsIn(repo), await packed(repo)]).toEqual([50, true]);
  expect(packsIn(repo)).toBeLessThan(5);
  for (const id of ids) expect(repo.git('cat-file', '-t', id)).toBe('blob');
});
