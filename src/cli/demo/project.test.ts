import { access } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openDemoProject } from './demo.ts';

const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('the demo project', () => {
  it('is a repository without changes, and is removed when it is disposed', async () => {
    let path = '';
    {
      await using project = await openDemoProject(env, false);
      path = project.path;
      expect(await project.changes()).toBe('');
      expect(await exists(path)).toBe(true);
    }
    expect(await exists(path)).toBe(false);
  });

  it('fails without git and exits with code 4', async () => {
    await expect(openDemoProject({ PATH: '/nowhere' }, false)).rejects.toMatchObject({ code: 'demo-needs-git', exitCode: 4 });
  });
});
