import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { projectFacts } from './project-facts.ts';

describe('what the start screen knows', () => {
  it('is found in a subfolder of a repository without starting git', async () => {
    await using repo = await openRepo();
    const bin = join(repo.path, 'bin');
    await mkdir(join(repo.path, 'sub'));
    await mkdir(bin);
    // A git that would be noticed.
    for (const name of ['codex', 'git']) {
      await writeFile(join(bin, name), `#!/bin/sh\ntouch '${repo.path}/started'\n`);
      await chmod(join(bin, name), 0o755);
    }
    vi.stubEnv('PATH', bin);
    await writeFile(join(repo.path, 'task-graph.yaml'), 'nodes: []\nedges: []\n');
    await writeFile(join(repo.path, 'sub', 'package.json'), '{"scripts":{"test":"vitest run"}}');
    expect(await projectFacts(join(repo.path, 'sub'))).toEqual({
      agent: { command: 'codex', from: 'PATH' },
      checks: [{ command: 'npm test', from: 'package.json' }],
      command: 'run',
      folder: '',
      plan: { kind: 'one', path: '../task-graph.yaml' },
      word: 'DONE',
      promptFile: null,
      runs: [],
      hasSettings: false,
      problem: null,
    });
    await expect(writeFile(join(repo.path, 'started'), '', { flag: 'wx' })).resolves.toBeUndefined();
  });

  it('is that of the top of the repository in a subfolder with nothing of its own', async () => {
    await using repo = await openRepo();
    const docs = join(repo.path, 'docs');
    await mkdir(docs);
    await writeFile(join(repo.path, 'package.json'), '{"scripts":{"test":"vitest run"}}');
    await writeFile(join(docs, 'TODO.md'), '- [ ] a\n');
    const checks = [{ command: 'npm test', from: '../package.json' }];
    expect(await projectFacts(docs)).toMatchObject({ checks, folder: '..', plan: { kind: 'named', path: 'TODO.md', named: 'docs/TODO.md' } });
    await writeFile(join(repo.path, 'TODO.md'), '- [ ] a\n');
    expect(await projectFacts(docs)).toMatchObject({ plan: { kind: 'several', why: 'TODO.md or ../TODO.md, if you name one' } });
  });

  it('comes from the settings where they say it, and names what is wrong with them', async () => {
    await using repo = await openRepo();
    await mkdir(join(repo.path, '.ralph'));
    const settings = join(repo.path, '.ralph', 'settings.json');
    await writeFile(settings, '{"agent":{"command":"./mine"},"loop":{"checks":["make"]}}');
    expect(await projectFacts(repo.path)).toMatchObject({
      agent: { command: './mine', from: 'your settings' },
      checks: [{ command: 'make', from: 'your settings' }],
      command: 'loop',
      hasSettings: true,
    });
    await writeFile(settings, '{');
    expect(await projectFacts(repo.path)).toMatchObject({ problem: expect.stringContaining('.ralph/settings.json'), hasSettings: true });
  });
});
