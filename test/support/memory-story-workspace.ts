import type { SettledStoryWorkspace, SettleStoriesRequest, StoryWorkspace } from '../../src/engine/ports/story-workspace.ts';
import type { MemoryRepo } from './memory-repo.ts';

/** The ground of stories in a repository in memory; honours its contract (test/contracts/story-ground.ts). */
export function memoryStoryWorkspace(repo: MemoryRepo, planFile: string, branch: string): StoryWorkspace {
  const tree = async () => (await repo.git.tree()) ?? '';
  const head = () => repo.log.at(-1) ?? { commit: '', tree: '' };

  const commitAll = async (message: string): Promise<string | null> => ((await tree()) === head().tree ? null : repo.commitByHand(message));

  /** As the commits of a real one tell it. */
  const settled = new Map<string, SettledStoryWorkspace>();

  const mustGoBack = async ({ tree: before, revert: putBack, forget }: SettleStoriesRequest): Promise<readonly string[]> => {
    const touched = repo.changed(before, await tree());
    if (forget) return touched;
    return touched.filter((path) => path !== planFile && isWanted(path, putBack));
  };

  return {
    async look() {
      const now = await tree();
      return { head: head().commit, branch, tree: now, dirty: repo.changed(head().tree, now) };
    },
    async readPlan() {
      const text = repo.files.get(planFile);
      return text === undefined ? { kind: 'missing' } : { kind: 'text', text };
    },
    async settle(wish) {
      const before = settled.get(wish.keptRef);
      if (before?.head === head().commit && before.tree === (await tree())) return before;
      const left = repo.changed(head().tree, await tree()).filter((path) => path !== planFile);
      const reverted = await mustGoBack(wish);
      repo.restore(wish.tree, reverted, wish.keptRef);
      if (wish.plan !== null) repo.files.set(planFile, wish.plan);
      const leftovers = left.some((path) => !reverted.includes(path));
      const commit = await commitAll(messageOf(wish, leftovers, reverted));
      const kept = reverted.length > 0 ? wish.keptRef : null;
      const came = { head: head().commit, tree: await tree(), commit, leftovers, reverted, kept, rewound: null, hook: null };
      settled.set(wish.keptRef, came);
      return came;
    },
    async recordPlan(text, message, entry = '') {
      repo.files.set(planFile, text);
      const progress = planFile.replace(/[^/]+$/, 'progress.txt');
      const said = repo.files.get(progress) ?? '';
      if (entry !== '' && !said.includes(entry)) repo.files.set(progress, `${said}${entry}`);
      const commit = await commitAll(message);
      return { head: head().commit, tree: head().tree, commit, problem: null };
    },
    changesIn: async ({ ranges }) => ({ patch: ranges.map(({ from, to }) => `${from}..${to}\n`).join(''), isWhole: true, files: [] }),
  };
}

function messageOf({ message, putBackMessage, planMessage }: SettleStoriesRequest, leftovers: boolean, reverted: readonly string[]): string {
  if (leftovers) return message;
  return reverted.length > 0 ? putBackMessage : planMessage;
}

const isIn = (path: string, folders: readonly string[]) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

function isWanted(path: string, { kind, paths }: SettleStoriesRequest['revert']): boolean {
  return isIn(path, paths) === (kind === 'only');
}
