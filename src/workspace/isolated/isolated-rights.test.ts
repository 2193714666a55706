import { existsSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';
import { notForRoot } from '../../../test/support/skip-loudly.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

describe.skipIf(missing)('the files of an agent', () => {
  it("follow the operator's changes even if the agent made them read-only", async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('lib/f', 'f\n');
    await stage.repo.write('lib/g', 'g\n');
    await stage.inside('chmod 555 lib');
    await stage.repo.write('lib/f', 'by hand\n');
    await rm(join(stage.repo.path, 'lib/g'));
    expect((await stage.inside('cat lib/f; ls lib')).said).toBe('by hand\nf\n');
    expect([readIn(stage, 'lib/f'), existsSync(join(stage.repo.path, 'lib/g'))]).toEqual(['by hand\n', false]);
  });

  it('are removed in the end even if their path is too long', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside(`n=$(printf '%0200d' 1); for i in $(seq 40); do mkdir $n; cd $n; done; echo x > f`);
    await stage.inside('echo one > one');
    await stage.close();
    expect([readIn(stage, 'one'), stage.isLeft()]).toEqual(['one\n', false]);
  });

  it('that git does not add, whatever their name is, are reported once', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('mkdir -p .Git git~1; echo x > .Git/f; echo x > git~1/f; echo one > one');
    await stage.inside('echo two > two');
    expect([readIn(stage, 'one'), readIn(stage, 'two'), existsSync(join(stage.repo.path, '.Git/f'))]).toEqual(['one\n', 'two\n', false]);
    expect(stage.told).toEqual([expect.stringMatching(/^what git does not take does not land: .*\.Git\/f.*git~1\/f/i)]);
  });
});

describe.skipIf(missing)("a file that the operator's disk refuses", () => {
  it.skipIf(notForRoot('a disk that refuses what lands'))('is kept, and the run continues', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', '*.db\n');
    await stage.repo.write('x.db', 'x\n');
    await chmod(join(stage.repo.path, 'x.db'), 0o000);
    await stage.repo.write('lib/f', 'f\n');
    await chmod(join(stage.repo.path, 'lib'), 0o555);
    await stage.inside('echo g > lib/f; echo one > one');
    await chmod(join(stage.repo.path, 'lib'), 0o755);
    expect([readIn(stage, 'lib/f'), readIn(stage, 'one')]).toEqual(['f\n', 'one\n']);
    expect(stage.told).toEqual([expect.stringContaining('lib/f stays')]);
  });
});
