import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../../test/support/deep.ts';
import { openStandIn } from '../../../test/support/sandbox-stand-in/open-stand-in.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { DOCKER_MISSING, dockerState, findDocker } from './find-docker.ts';

describe('findDocker', () => {
  it('finds sbx, even if docker is installed too', async () => {
    await using folder = await openThrowAwayFolder();
    const { env } = await openStandIn(folder.path, 'sbx', 'docker');
    expect(await findDocker(env, folder.path)).toMatchObject({ flavour: 'sbx' });
  });

  it('finds docker sandbox', async () => {
    await using folder = await openThrowAwayFolder();
    const { env } = await openStandIn(folder.path, 'docker');
    expect(await findDocker(env, folder.path)).toMatchObject({ flavour: 'docker' });
  });

  it.each([[[], {}] as const, [['docker'], { plugin: false }] as const])('finds nothing with the programs %j and %j', async (programs, switches) => {
    await using folder = await openThrowAwayFolder();
    const standIn = await openStandIn(folder.path, ...programs);
    await standIn.set(switches);
    expect(await findDocker(standIn.env, folder.path)).toBeNull();
    expect(await dockerState(standIn.env, [folder.path])).toEqual({ cli: null, name: null, exists: false });
    expect(`${DOCKER_MISSING.why} ${DOCKER_MISSING.hint}`).toContain('sbx');
  });

  deepIt('it waits for the whole time limit of ten seconds')('finds nothing within the time limit when docker never answers', async () => {
    await using folder = await openThrowAwayFolder();
    const standIn = await openStandIn(folder.path, 'docker');
    await standIn.set({ hangs: true });
    expect(await findDocker(standIn.env, folder.path)).toBeNull();
  });

  it('ignores another program called sbx', async () => {
    await using folder = await openThrowAwayFolder();
    const { env } = await openStandIn(folder.path);
    await writeFile(join(folder.path, 'stand-in-path/sbx'), '#!/bin/sh\necho Sandboxie 5.0\n', { mode: 0o755 });
    expect(await findDocker(env, folder.path)).toBeNull();
  });
});

describe('the Docker sandbox of a project', () => {
  it.each(['sbx', 'docker'] as const)('is found by its name and its folder: %s', async (flavour) => {
    await using folder = await openThrowAwayFolder();
    const standIn = await openStandIn(folder.path, flavour);
    const before = await dockerState(standIn.env, [folder.path]);
    expect(before).toMatchObject({ exists: false, name: expect.stringMatching(/^ralph-/) });
    const words = flavour === 'sbx' ? ['sbx'] : ['docker', 'sandbox'];
    if (flavour === 'sbx') await standIn.say(['sbx', 'policy', 'init', 'deny-all']);
    await standIn.say([...words, 'create', '--name', before.name ?? '', 'claude', folder.path]);
    for (const switches of [{}, { noise: true }, { listShape: 'array' as const }, { emptyLists: 2 }]) {
      await standIn.set(switches);
      expect(await dockerState(standIn.env, [folder.path])).toMatchObject({ exists: true, name: before.name });
    }
    await standIn.set({ signedIn: false });
    expect(await dockerState(standIn.env, [folder.path])).toMatchObject({ cli: { flavour }, exists: false });
  });
});
