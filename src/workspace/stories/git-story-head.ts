import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettleStoriesRequest } from '../../engine/ports/story-workspace.ts';
import { headRef } from '../tasks/git-task-base.ts';
import type { TaskState } from '../tasks/git-task-state.ts';
import { must } from '../tasks/locks.ts';
import type { StoryRepo } from './git-story-place.ts';

/** Where an agent has left HEAD and the branch of the stories; null if there is no commit. */
export interface Whereabouts {
  readonly head: string | null;
  readonly tip: string | null;
  readonly isOnBranch: boolean;
}

export type WhyRewound = 'deleted' | 'rewritten' | 'left' | 'apart';

/**
 * `stay`: everything is in place. `take-along`: the branch moves to HEAD. `return`: HEAD is behind the branch and moves to it. `rewind`: the branch did not
 * simply grow, or its commits are not wanted, so everything goes back to the start; without a reason if they are only not wanted.
 */
export type Way = { readonly kind: 'stay' | 'take-along' | 'return' } | { readonly kind: 'rewind'; readonly why: WhyRewound | null };

type Wanted = Pick<SettleStoriesRequest, 'branch' | 'head'>;
type WantedWay = Wanted & Pick<SettleStoriesRequest, 'forget'>;

export async function whereabouts({ git }: StoryRepo, { branch }: Wanted, seen: Pick<TaskState, 'head' | 'branch'>): Promise<Whereabouts> {
  const tip = await git(['rev-parse', '--verify', '--quiet', `${headRef(branch)}^{commit}`]);
  return { head: seen.head, tip: tip.code === 0 ? tip.stdout.trim() : null, isOnBranch: seen.branch === branch };
}

export async function wayBack(repo: StoryRepo, { head: begun, forget }: WantedWay, where: Whereabouts): Promise<Way> {
  const way = await wayFrom(repo, begun, where);
  const isNew = where.head !== begun || where.tip !== begun;
  return forget && isNew && way.kind !== 'rewind' ? { kind: 'rewind', why: null } : way;
}

async function wayFrom(repo: StoryRepo, begun: string, { head, tip, isOnBranch }: Whereabouts): Promise<Way> {
  const has = async (commit: string | null, other: string | null) => commit !== null && other !== null && (await contains(repo, commit, other));
  const tipGoesOn = await has(tip, begun);
  if (isOnBranch) return tipGoesOn ? { kind: 'stay' } : { kind: 'rewind', why: gone(tip) };
  const headGoesOn = await has(head, begun);
  if (headGoesOn && (tip === null || (await has(head, tip)))) return { kind: 'take-along' };
  if (tipGoesOn && (await has(tip, head))) return { kind: 'return' };
  if (tipGoesOn) return { kind: 'rewind', why: headGoesOn ? 'apart' : 'left' };
  return { kind: 'rewind', why: gone(tip) };
}

const gone = (tip: string | null): WhyRewound => (tip === null ? 'deleted' : 'rewritten');

async function contains({ git }: StoryRepo, commit: string, other: string): Promise<boolean> {
  const { code, ...answer } = await git(['merge-base', '--is-ancestor', other, commit]);
  if (code !== 0 && code !== 1) must({ code, ...answer }, 'the commits cannot be compared');
  return code === 0;
}

/** The commits that HEAD was on since the turn began and that none of the kept commits contain: work that an agent dropped itself. */
export async function droppedSince({ git, gitDir }: StoryRepo, begun: string, kept: readonly string[]): Promise<readonly string[]> {
  const log = (await readFile(join(gitDir, 'logs', 'HEAD'), 'utf8').catch(() => '')).split('\n').map((line) => line.split(' ', 2)[1] ?? '');
  const first = log.indexOf(begun);
  const candidates = first < 0 ? [] : [...new Set(log.slice(first + 1))].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit) && !/^0+$/.test(commit));
  if (candidates.length === 0) return [];
  const { stdout } = await git(['rev-list', '--ignore-missing', ...candidates.slice(-MOST_DROPPED), '--not', begun, ...kept, '--']);
  const unreached = new Set(stdout.split('\n'));
  return candidates.filter((commit) => unreached.has(commit));
}

/** No agent makes more of them in a turn. */
const MOST_DROPPED = 200;

/** A clause that the sentence about the rewind continues. */
export function rewoundWords(why: WhyRewound, { branch, head }: Wanted): string {
  const begun = head.slice(0, 12);
  switch (why) {
    case 'deleted':
      return `the branch ${branch} was deleted`;
    case 'rewritten':
      return `the branch ${branch} no longer had the commit ${begun} on which the turn began`;
    case 'left':
      return `HEAD was left on commits that do not come from ${begun}, on which the turn began`;
    case 'apart':
      return `there were commits both on ${branch} and elsewhere, and neither had the others`;
  }
}

/** Moves the branch first, so that HEAD never names a missing one. No file changes. */
export async function putHeadBack({ git }: StoryRepo, branch: string, commit: string): Promise<void> {
  const ref = headRef(branch);
  must(await git(['update-ref', '--no-deref', '-m', 'ralph: where the stories are', ref, commit]), `${branch} cannot be moved`);
  must(await git(['symbolic-ref', '-m', 'ralph: back on the branch of the stories', 'HEAD', ref]), `HEAD cannot be put on ${branch}`);
}
