import type { TaskGround } from './git-task-place.ts';
import { must } from './git-task-trouble.ts';

interface Keeping {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly ref: string;
  readonly message: string;
}

/** On top of what was kept under that ref before: who died over it comes here again. */
export async function keepUnder({ git }: Pick<TaskGround, 'git'>, { tree, parents, ref, message }: Keeping): Promise<void> {
  const earlier = (await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).stdout.trim();
  const words = [...new Set([...parents, earlier])].filter(Boolean).flatMap((parent) => ['-p', parent]);
  const made = must(await git(['commit-tree', tree, ...words, '-m', message]), `${ref} cannot be made`);
  must(await git(['update-ref', ref, made]), `${ref} cannot be made`);
}
