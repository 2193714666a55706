import type { Repo } from './repo.ts';

/** One commit on `main` and, beside it, one each on `side`, which goes together with it, and on `fight`, which does not. */
export async function makeFightingBranches(repo: Repo): Promise<void> {
  for (const [branch, file] of [
    ['side', 'side.txt'],
    ['fight', 'fight.txt'],
    ['main', 'fight.txt'],
  ] as const) {
    repo.git('checkout', '-q', '-B', branch, 'main');
    await repo.write(file, `${branch}\n`);
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', branch);
  }
}
