import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv } from '../../../../test/support/opened-git.ts';
import { OPERATOR, openRepo, type Repo } from '../../../../test/support/repo.ts';
import { commitTrial } from './sign.ts';

/** Signs like gpg, or refuses. */
const SIGNER = '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho signature\n';
const REFUSER = '#!/bin/sh\ncat >/dev/null\necho "no secret key" >&2\nexit 2\n';

async function withSigner(script: string): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n' }, OPERATOR);
  const file = join(repo.beside, 'signer');
  await writeFile(file, script, { mode: 0o755 });
  repo.git('config', 'gpg.program', file);
  return repo;
}

describe('a trial of a commit', () => {
  it('needs no key where nothing is signed', async () => {
    await using repo = await withSigner(REFUSER);
    expect(await commitTrial(repo.path, gitEnv, [])).toEqual({ refusal: null, isSigned: false });
  });

  it('is signed, and leaves no object behind', async () => {
    await using repo = await withSigner(SIGNER);
    repo.git('config', 'commit.gpgSign', 'true');
    const before = readdirSync(join(repo.path, '.git/objects'));
    expect(await commitTrial(repo.path, gitEnv, [])).toEqual({ refusal: null, isSigned: true });
    expect(readdirSync(join(repo.path, '.git/objects'))).toEqual(before);
  });

  it('tells why a commit cannot be signed', async () => {
    await using repo = await withSigner(REFUSER);
    expect(await commitTrial(repo.path, gitEnv, ['-S'])).toEqual({ refusal: expect.stringMatching(/gpg failed to sign/), isSigned: true });
  });

  it.each(['gitdir:REPO/', 'gitdir/i:REPO/', 'onbranch:main'])('follows an included configuration: %s', async (condition) => {
    await using repo = await withSigner(REFUSER);
    const [global, included] = [join(repo.beside, '.hidden-gitconfig'), join(repo.beside, 'work.gitconfig')];
    await writeFile(global, `[includeIf "${condition.replace('REPO', repo.path)}"]\n  path = ${included}\n`);
    await writeFile(included, '[commit]\n  gpgSign = true\n');
    expect(await commitTrial(repo.path, { ...gitEnv, GIT_CONFIG_GLOBAL: global }, [])).toMatchObject({ isSigned: true, refusal: expect.any(String) });
  });
});
