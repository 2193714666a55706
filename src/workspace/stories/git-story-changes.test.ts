import { describe, expect, it } from 'vitest';
import { openStoryStage, PLAN } from '../../../test/support/story-ground-stage.ts';

describe("the changes of a story's commits", () => {
  it('are one diff after the other, without the folder of the stories', async () => {
    await using stage = await openStoryStage();
    const first = await stage.commits('one', { 'src/a.ts': 'better\n', [PLAN]: '{"notes":"trust me"}\n', 'ralph/progress.txt': 'perfect\n' });
    const other = await stage.commits('another story', { 'src/b.ts': 'other\n' });
    const last = await stage.commits('two', { 'src/a.ts': 'best\n' });
    const ranges = [
      { from: stage.wish.head, to: first },
      { from: other, to: last },
    ];
    const changes = await stage.ground.changesIn({ ranges, story: 'US-001', files: false });
    expect(changes).toMatchObject({ isWhole: true, files: [] });
    expect(changes?.patch.split('\n').filter((line) => /^[-+][^-+]/.test(line))).toEqual(['-a', '+better', '-better', '+best']);
  });

  it('include the current changed files for reviewers that cannot read files, within a limit', async () => {
    await using stage = await openStoryStage();
    const files = { 'src/a.ts': 'best\n', 'src/b.ts': null, 'binary.bin': 'a\0b', 'large.txt': 'x'.repeat(100_000) };
    const to = await stage.commits('all', files);
    const changes = await stage.ground.changesIn({ ranges: [{ from: stage.wish.head, to }], story: 'US-001', files: true });
    expect(changes?.files).toEqual([{ path: 'src/a.ts', text: 'best\n' }]);
  });

  it('are cut at the end of a line if they are too long', async () => {
    await using stage = await openStoryStage();
    const to = await stage.commits('long', { 'src/a.ts': `${'a line\n'.repeat(60_000)}` });
    const changes = await stage.ground.changesIn({ ranges: [{ from: stage.wish.head, to }], story: 'US-001', files: false });
    expect(changes?.isWhole).toBe(false);
    expect(changes?.patch.length).toBeLessThanOrEqual(150_000);
    expect(changes?.patch.endsWith('+a line\n')).toBe(true);
  });

  it('are found by commit messages if no range was recorded', async () => {
    await using stage = await openStoryStage();
    await stage.commits('feat: [US-001] - it', { 'src/a.ts': 'better\n' });
    await stage.commits('feat: [US-0012] - another', { 'src/b.ts': 'other\n' });
    const changes = await stage.ground.changesIn({ ranges: [], story: 'US-001', files: false });
    expect(changes?.patch).toContain('+better');
    expect(changes?.patch).not.toContain('+other');
    expect(await stage.ground.changesIn({ ranges: [], story: 'US-009', files: false })).toEqual({ patch: '', isWhole: true, files: [] });
  });

  it('run nothing that a commit names for diffs', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('config', 'diff.evil.textconv', 'touch ran #');
    stage.repo.git('config', 'diff.evil.command', 'touch ran #');
    const to = await stage.commits('evil', { '.gitattributes': '*.ts diff=evil\n', 'src/a.ts': 'better\n' });
    const changes = await stage.ground.changesIn({ ranges: [{ from: stage.wish.head, to }], story: 'US-001', files: false });
    expect(changes?.patch).toContain('+better');
    expect(stage.repo.git('status', '--porcelain')).toBe('');
  });

  it('are null if git does not know the commits', async () => {
    await using stage = await openStoryStage();
    expect(await stage.ground.changesIn({ ranges: [{ from: 'f'.repeat(40), to: stage.wish.head }], story: 'US-001', files: false })).toBeNull();
  });
});
