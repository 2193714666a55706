import { access } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openDemoProject } from './demo.ts';

const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('the demo project', () => {
  it('is a repository without changes, and gone afterwards', async () => {
    let path = '';
    {
      await using project = await openDemoProject(env, false);
      path = project.path;
      expect(await project.changes()).toBe('');
      expect(await isThere(path)).toBe(true);
    }
    expect(await isThere(path)).toBe(false);
  });

  it('cannot be made without git, and says what to do', async () => {
    await expect(openDemoProject({ PATH: '/nowhere' }, false)).rejects.toMatchObject({ code: 'demo-needs-git', exitCode: 4 });
  });
});
