import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutGitVariables } from '../sandbox/environment/environment.ts';
import { openGitCommand, type Variables } from './git/git-command.ts';

/** Every process that commits behind a sandbox leaves a pack. From this many on, git looks for objects noticeably longer. */
const MOST_PACKS = 50;
const TIMEOUT_MS = 60_000;

interface Repository {
  readonly commonDir: string;
  readonly topLevel: string;
}

/**
 * At the end of a run: puts small packs together, when there are many. Objects that nothing refers to stay, because agents' work may be among them. Where
 * git fetches objects only when it needs them, its own clean-up knows better.
 */
export async function packNowAndThen({ commonDir, topLevel }: Repository, env: Variables): Promise<boolean> {
  const names = await readdir(join(commonDir, 'objects/pack')).catch(() => []);
  const isPartial = names.some((name) => name.endsWith('.promisor'));
  if (isPartial || names.filter((name) => name.endsWith('.pack')).length < MOST_PACKS) return false;
  const git = openGitCommand(topLevel, withoutGitVariables(env), TIMEOUT_MS);
  return (await git(['repack', '-d', '-l', '-q', '--geometric=2'])).code === 0;
}
