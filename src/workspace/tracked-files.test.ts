import { describe, expect, it } from 'vitest';
import { gitEnv } from '../../test/support/opened-git.ts';
import { openRepo } from '../../test/support/repo.ts';
import { trackedDots } from './tracked-files.ts';

describe('a dot file in a home that is a repository', () => {
  it('belongs to the project if it is tracked, with its folder if that has nothing else', async () => {
    await using repo = await openRepo({ '.eslintrc': 'x', '.config/nvim/lua/x.lua': 'x', '.config/starship.toml': 'x', 'src/.hidden': 'x' });
    await repo.write('.ssh/id_x', 'a key');
    expect((await trackedDots(repo.path, gitEnv)).toSorted()).toEqual(['.config/nvim', '.config/starship.toml', '.eslintrc']);
  });

  it('does not expose a folder of keys because an agent has committed a file there', async () => {
    await using repo = await openRepo({ '.config/gh/planted/x': 'x', '.config/nvim/init.lua': 'x' });
    expect(await trackedDots(repo.path, gitEnv)).toContain('.config/gh');
    await repo.write('.config/gh/hosts.yml', 'a token');
    expect((await trackedDots(repo.path, gitEnv)).toSorted()).toEqual(['.config/gh/planted/x', '.config/nvim']);
    await repo.write('.gitignore', '.config/gh/hosts.yml\n');
    expect((await trackedDots(repo.path, gitEnv)).toSorted()).toEqual(['.config/gh/planted/x', '.config/nvim']);
  });
});
