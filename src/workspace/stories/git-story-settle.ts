import { join } from 'node:path';
import type { SettledStoryWorkspace, SettleStoriesRequest } from '../../engine/ports/story-workspace.ts';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { firstParentLine } from '../git/commit/commit.ts';
import { headIn, knownTreeOf, OUR_NAME } from '../git/git-place.ts';
import type { Touched } from '../git/git-touched.ts';
import { differingPaths } from '../git/git-tree.ts';
import { keepUnder } from '../tasks/close.ts';
import { headRef } from '../tasks/git-task-base.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import { commitPlainly, commitWithHooks } from './git-story-commit.ts';
import { goalOf, goTo, isPlan } from './git-story-goal.ts';
import { droppedSince, putHeadBack, rewoundWords, type Whereabouts, type WhyRewound, wayBack, whereabouts } from './git-story-head.ts';
import { heal, removeDeadLocks } from './git-story-heal.ts';
import { type CopyWatch, type StoryRepo, unhide, watchCopy } from './git-story-place.ts';
import { writePlanFile } from './git-story-plan-file.ts';

/**
 * Whatever an agent has done, the branch continues from where it was, the paths that the agent may not touch are reverted, and everything else is committed.
 */
export async function settleStoryGit(repo: StoryRepo, request: SettleStoriesRequest): Promise<SettledStoryWorkspace> {
  const first = await putRight(repo, request, readNotes(repo, request.keptRef));
  const then = first.tree === first.headTree ? first : await commitLeft(repo, request, first);
  await tidyIndex(repo);
  return await told(repo, request, then.notes);
}

/** A workspace in the requested state, except for what is not committed. */
interface Right {
  readonly head: string;
  readonly headTree: string;
  /** The tree of a commit of everything. */
  readonly tree: string;
  readonly notes: SettleNotes;
}

/** What can be seen only once is recorded before it is corrected. */
async function putRight(repo: StoryRepo, request: SettleStoriesRequest, before: SettleNotes | null): Promise<Right> {
  await removeDeadLocks(repo, [headRef(request.branch), request.keptRef]);
  const seen = await heal(repo);
  const copy = watchCopy(repo, request.tree, seen.submodules);
  const where = await whereabouts(repo, request, seen);
  const first = before ?? { ...NOTHING, keptRef: request.keptRef, leftovers: await hasLeftovers(repo, await copy.see(), where) };
  const back = await bringBack(repo, request, { where, copy, notes: first });
  const notes = await putFilesBack(repo, request, { copy, notes: back });
  if (request.plan !== null && (await writePlanFile(repo, request.plan))) copy.changed();
  if (await unhide(repo, await copy.see())) copy.changed();
  const head = await headIn(repo);
  if (head === null) throw new GitTrouble(`${request.branch} has no commit`);
  return { head, headTree: await knownTreeOf(repo, head), tree: (await copy.see()).committed, notes };
}

const NOTHING = { undone: [], rewound: null, parent: null, hook: null } as const;

/** Whether the agent left changes that are not in HEAD. */
async function hasLeftovers(repo: StoryRepo, { now, paths }: Touched, { head }: Whereabouts): Promise<boolean> {
  const uncommitted = new Set(await differingPaths(repo.git, { from: head, to: now, own: {} }));
  return paths.some(({ path }) => !isPlan(repo, path) && (head === null || uncommitted.has(path)));
}

interface Under {
  readonly copy: CopyWatch;
  readonly notes: SettleNotes;
}

/** Moves HEAD onto the branch, and the branch to where it continues. Files come first: as long as they are not right, HEAD says what is to be done. */
async function bringBack(
  repo: StoryRepo,
  request: SettleStoriesRequest,
  { where, copy, notes }: Under & { readonly where: Whereabouts },
): Promise<SettleNotes> {
  const way = await wayBack(repo, request, where);
  if (way.kind === 'stay') return notes;
  if (way.kind === 'take-along') {
    await putHeadBack(repo, request.branch, where.head ?? request.head);
    return notes;
  }
  const commit = way.kind === 'return' ? (where.tip ?? request.head) : request.head;
  const tree = way.kind === 'return' ? await knownTreeOf(repo, commit) : request.tree;
  const { now } = await copy.see();
  const changed = way.kind === 'return' ? new Set(await changedOnTheWay(repo, now, [where.head ?? commit, commit])) : null;
  const pen = openPen(repo, way.kind === 'rewind' ? { ...notes, rewound: notes.rewound ?? way.why } : notes);
  await pen.add([]);
  await keep(repo, request, { where, tree: now });
  await goTo(repo, { copy, keptRef: request.keptRef, goal: async () => tree, about: (paths) => pen.add(paths.filter((path) => changed?.has(path) ?? true)) });
  await putHeadBack(repo, request.branch, commit);
  return pen.notes();
}

/** The paths that differ from both ends. */
async function changedOnTheWay({ git }: StoryRepo, now: string, ends: readonly string[]): Promise<readonly string[]> {
  const [from = [], to = []] = await Promise.all(ends.map((end) => differingPaths(git, { from: end, to: now, own: {} })));
  return from.filter((path) => to.includes(path));
}

async function keep(repo: StoryRepo, { head, keptRef: ref }: SettleStoriesRequest, { where, tree }: { where: Whereabouts; tree: string }): Promise<void> {
  const { git } = repo;
  const left = [where.head, where.tip].filter((commit) => commit !== null);
  const parents = [...left, ...(await droppedSince(repo, head, left))];
  const message = 'HEAD, the branch and the working copy before they were put back';
  await keepUnder({ git: (args, own) => git(args, { ...own, ...OUR_NAME }) }, { tree, parents, ref, message });
}

async function putFilesBack(repo: StoryRepo, request: SettleStoriesRequest, { copy, notes }: Under): Promise<SettleNotes> {
  const pen = openPen(repo, notes);
  await goTo(repo, { copy, keptRef: request.keptRef, goal: (now) => goalOf(repo, now, request), about: pen.add });
  return pen.notes();
}

/** Records step by step what was reverted, except what was in place of the list of stories. */
function openPen(repo: StoryRepo, first: SettleNotes) {
  let notes = first;
  return {
    notes: () => notes,
    async add(paths: readonly string[]) {
      const undone = [...new Set([...notes.undone, ...paths.filter((path) => !isPlan(repo, path))])].sort();
      notes = await writeNotes(repo, { ...notes, undone });
    },
  };
}

/** Hooks may do anything: unless everything is as requested afterwards, it is corrected again and committed without them. */
async function commitLeft(repo: StoryRepo, request: SettleStoriesRequest, { head, tree, notes: before }: Right): Promise<Right> {
  const notes = await writeNotes(repo, { ...before, parent: before.parent ?? head });
  const message = messageFor(request, before);
  const left = { parent: head, tree, message };
  const hook = notes.hook ?? (await commitWithHooks(repo, left));
  const then = await putRight(repo, request, hook === notes.hook ? notes : await writeNotes(repo, { ...notes, hook }));
  if (then.tree !== then.headTree) await commitPlainly(repo, { parent: then.head, tree: then.tree, message });
  return then;
}

function messageFor({ message, putBackMessage, planMessage }: SettleStoriesRequest, { leftovers, undone, rewound }: SettleNotes): string {
  if (leftovers) return message;
  return undone.length > 0 || rewound !== null ? putBackMessage : planMessage;
}

/** What is staged but not in the files would be in somebody's next commit. */
async function tidyIndex({ git }: StoryRepo): Promise<void> {
  const compared = await git(['diff-index', '--cached', '--quiet', '--no-ext-diff', 'HEAD', '--']);
  if (compared.code !== 0) must(await git(['reset', '--quiet'], {}), 'the index cannot be put right');
}

async function told(repo: StoryRepo, request: SettleStoriesRequest, notes: SettleNotes): Promise<SettledStoryWorkspace> {
  const { git } = repo;
  const head = (await headIn(repo)) ?? request.head;
  const made = notes.parent === null ? undefined : (await firstParentLine(git, LONGEST_WAY)).find(({ parent }) => parent === notes.parent);
  const kept = await git(['rev-parse', '--verify', '--quiet', `${request.keptRef}^{commit}`]);
  return {
    head,
    tree: await knownTreeOf(repo, head),
    commit: made?.commit ?? null,
    leftovers: notes.leftovers,
    reverted: notes.undone,
    kept: kept.code === 0 ? request.keptRef : null,
    rewound: notes.rewound === null ? null : rewoundWords(notes.rewound, request),
    hook: notes.hook,
  };
}

/** Hooks may have committed on top, but not more than this. */
const LONGEST_WAY = 1_000;

/**
 * What a loop that dies during a settlement must not forget, because it is no longer visible after the correction. No step is skipped because of these notes.
 */
export interface SettleNotes {
  readonly keptRef: string;
  readonly leftovers: boolean;
  readonly undone: readonly string[];
  readonly rewound: WhyRewound | null;
  /** HEAD before Ralph's first commit; null if there was nothing to commit. */
  readonly parent: string | null;
  readonly hook: string | null;
}

const FILE = 'ralph-settled.json';

/** Null if nothing was settled under that ref. */
function readNotes({ gitDir }: StoryRepo, keptRef: string): SettleNotes | null {
  try {
    const found = JSON.parse(readRegular(join(gitDir, FILE)) ?? 'null') as Partial<SettleNotes> | null;
    if (found?.keptRef !== keptRef || !Array.isArray(found.undone)) return null;
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const undone = found.undone.filter((path) => typeof path === 'string');
    return { keptRef, undone, leftovers: found.leftovers === true, rewound: reason(found.rewound), parent: text(found.parent), hook: text(found.hook) };
  } catch {
    return null;
  }
}

const reason = (value: unknown) => (['deleted', 'rewritten', 'left', 'apart'] as const).find((why) => why === value) ?? null;

async function writeNotes({ gitDir }: StoryRepo, notes: SettleNotes): Promise<SettleNotes> {
  await writeAtomic(join(gitDir, FILE), `${JSON.stringify(notes)}\n`);
  return notes;
}
