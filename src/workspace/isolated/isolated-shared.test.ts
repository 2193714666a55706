import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

async function openShared(): Promise<Stage> {
  const stage = await openIsolatedStage();
  await stage.repo.write('.gitignore', 'node_modules/\n');
  await stage.repo.write('packages/a/index.js', 'a\n');
  await stage.repo.write('packages/a/node_modules/x/x.js', 'x\n');
  return stage;
}

describe.skipIf(missing)('a folder around a shared one', () => {
  it('can be moved: its files land elsewhere, and the shared folder stays', async () => {
    await using stage = await openShared();
    await stage.inside('mv packages/a packages/b');
    expect([readIn(stage, 'packages/b/index.js'), existsSync(join(stage.repo.path, 'packages/a/index.js'))]).toEqual(['a\n', false]);
    expect((await stage.inside('cat packages/b/index.js; echo one > one')).said).toBe('a\n');
    expect([readIn(stage, 'packages/a/node_modules/x/x.js'), readIn(stage, 'one')]).toEqual(['x\n', 'one\n']);
    expect(stage.told).toEqual([]);
  });

  it('can be replaced by a link: nothing is written to its target', async () => {
    await using stage = await openShared();
    const outside = join(stage.repo.beside, 'outside');
    await mkdir(outside);
    await stage.inside(`mv packages b; ln -s ${outside} packages`);
    expect(stage.told[0]).toContain('packages cannot be written in your work tree');
    await stage.inside('echo one > one');
    expect((await stage.inside('cat packages/a/node_modules/x/x.js; ls packages/a')).said).toBe('x\nnode_modules\n');
    expect(readdirSync(outside)).toEqual([]);
    expect([readIn(stage, 'one'), readIn(stage, 'b/a/index.js')]).toEqual(['one\n', 'a\n']);
  });
});
