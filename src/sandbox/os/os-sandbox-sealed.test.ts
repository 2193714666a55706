import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';

const put = (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'what is sealed\n');
};

describe.skipIf(bubblewrapIsMissing())('in the os sandbox', () => {
  it('a hidden folder is empty for agents and gates, even if the operator shows a file in it', async () => {
    await using open = await openSandboxStage(({ repo }) => {
      put(join(repo.beside, 'sealed/deep/a'));
      return { readable: [repo.beside] };
    });
    const path = join(open.repo.beside, 'sealed/deep/a');
    expect((await open.inside(`cat ${path}`)).said).toContain('what is sealed');

    await using stage = await openSandboxStage(({ repo }) => {
      put(join(repo.beside, 'sealed/deep/a'));
      return { readable: [repo.beside, join(repo.beside, 'sealed/deep')], hidden: [join(repo.beside, 'sealed')] };
    });
    const sealed = join(stage.repo.beside, 'sealed');
    for (const who of ['agent', 'gate'] as const) {
      const { said } = await stage.inside(`ls -A ${sealed}; cat ${sealed}/deep/a; echo x >${sealed}/y`, { who });
      expect(said).not.toContain('what is sealed');
      expect(said).not.toMatch(/^deep$/m);
    }
  });

  it('a driver of sealed checks sees its files, and leaves nothing in caches or shared folders', async () => {
    await using stage = await openSandboxStage(({ repo }) => {
      put(join(repo.beside, 'drivers/a'));
      mkdirSync(join(repo.beside, 'shared'));
      return { writable: [join(repo.beside, 'shared')] };
    });
    const { path, beside } = stage.repo;
    const sealed = { at: join(path, 'ralph-sealed'), from: join(beside, 'drivers') };
    const leaves = `for at in "$HOME/.cache" ${join(beside, 'shared')}; do cp ralph-sealed/a $at/leak; done 2>/dev/null; cat ralph-sealed/a`;
    expect((await stage.inside(leaves, { who: 'gate', sealed })).said).toContain('what is sealed');
    const { said } = await stage.inside(`cat "$HOME/.cache/leak" ${join(beside, 'shared/leak')} ralph-sealed/a; echo end`);
    expect(said).not.toContain('what is sealed');
    expect(said).toContain('end');
  });
});
