import { createHash } from 'node:crypto';
import type { Changes, GitHistory, GitPort, TreeLook } from '../../src/engine/ports/git.ts';

type Files = ReadonlyMap<string, string>;

interface MadeCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parent: string | null;
  readonly message: string;
}

/** A repository in memory, with the content of its files; honours the contracts of git and of its history. */
export interface MemoryRepo {
  readonly git: GitPort;
  readonly history: GitHistory;
  /** The working copy. */
  readonly files: Map<string, string>;
  /** Oldest first. */
  readonly log: readonly MadeCommit[];
  readonly notes: ReadonlyMap<string, string>;
  commitByHand(message?: string): string;
  /** Makes these paths what they are in the tree; what was there is kept under the ref. */
  restore(tree: string, paths: readonly string[], keptRef: string): void;
  /** Paths in which two trees differ. */
  changed(before: string, now: string): readonly string[];
  /** What a file is in a commit, a ref (`^2`: what it was before) or a tree. */
  show(name: string, path: string): string | null;
  readIn(folder: string, path: string): string | null;
}

const shaOf = (text: string) => createHash('sha1').update(text).digest('hex');

export function memoryRepo(first: Readonly<Record<string, string>>): MemoryRepo {
  const files = new Map(Object.entries(first));
  const trees = new Map<string, Files>();
  const refs = new Map<string, readonly string[]>();
  const notes = new Map<string, string>();
  const checkouts = new Map<string, Files>();
  const log: MadeCommit[] = [];

  const tree = (): string => {
    const name = shaOf(JSON.stringify([...files].sort()));
    trees.set(name, new Map(files));
    return name;
  };
  const head = () => log.at(-1) as MadeCommit;
  const add = (made: string, message: string): MadeCommit => {
    const parent = log.at(-1)?.commit ?? null;
    log.push({ commit: shaOf(`${made} ${parent} ${message}`), tree: made, parent, message });
    return head();
  };
  add(tree(), 'start');

  const git: GitPort = {
    snapshot: async () => ({ head: head().commit, tree: tree(), dirty: tree() === head().tree ? [] : ['file'], problem: null }),
    tree: async () => tree(),
    look: async (): Promise<TreeLook> => ({ head: head().commit, headTree: head().tree, tree: tree(), problem: null }),
    obstacle: async () => null,
    async commit(wish) {
      if (wish.parent !== head().commit) return { kind: 'changed', detail: 'HEAD has moved' };
      if (tree() !== wish.tree && tree() !== wish.treeAfter) return { kind: 'changed', detail: 'the working copy has changed' };
      const { commit, tree: made } = add(wish.tree, wish.message);
      return { kind: 'made', commit, tree: made, leftOut: [] };
    },
    findCommit: async (wish) =>
      log.find(({ parent, message, tree: made }) => parent === wish.parent && (message === wish.message || made === wish.tree)) ?? null,
  };

  const touched = (before: Files, now: Files, patterns: readonly string[]) =>
    changedPaths(before, now).filter((path) => patterns.some((pattern) => isUnder(path, pattern)));

  const restore = (since: string, paths: readonly string[], keptRef: string): void => {
    if (paths.length > 0) refs.set(keptRef, [tree(), ...(refs.get(keptRef) ?? [])]);
    for (const path of paths) {
      const was = trees.get(since)?.get(path);
      if (was === undefined) files.delete(path);
      else files.set(path, was);
    }
  };

  const history: GitHistory = {
    changesSince: async (since) => changesOf(trees.get(since), files),
    async revert(since, patterns, keptRef) {
      const before = trees.get(since) ?? new Map();
      const paths = touched(before, files, patterns);
      restore(since, paths, keptRef);
      return paths;
    },
    async revertedPaths(since, patterns, keptRef) {
      const kept = trees.get(refs.get(keptRef)?.[0] ?? '');
      return kept ? touched(trees.get(since) ?? new Map(), kept, patterns) : [];
    },
    async checkOut(name) {
      const path = `/checkout-${checkouts.size + 1}`;
      checkouts.set(path, trees.get(name) ?? new Map());
      return { path, top: path, shared: [], renew: async () => undefined, [Symbol.asyncDispose]: async () => void checkouts.delete(path) };
    },
    below: async () => '',
    filesIn: async (name) => new Map([...(trees.get(name) ?? [])].map(([path, text]) => [path, { mode: '100644', id: `text ${text}` }])),
    bytesOf: async (id) => Buffer.from(id.replace(/^text /, '')),
    bytesOfAll: async (ids) => new Map(ids.map((id) => [id, Buffer.from(id.replace(/^text /, ''))])),
    async writeNote(commit, text) {
      if (!log.some((each) => each.commit === commit)) throw new Error(`there is no commit ${commit}`);
      notes.set(commit, text);
    },
    readNote: async (commit) => notes.get(commit) ?? null,
  };

  const treeNamed = (name: string): string => {
    const [ref = '', nth] = name.split('^');
    const made = ref === 'HEAD' ? head() : log.find(({ commit }) => commit === ref);
    return made?.tree ?? refs.get(ref)?.[Number(nth ?? 1) - 1] ?? ref;
  };
  return {
    ...{ git, history, files, log, notes },
    restore,
    changed: (before, now) => changedPaths(trees.get(before) ?? new Map(), trees.get(now) ?? new Map()),
    commitByHand: (message = 'by hand') => add(tree(), message).commit,
    show: (name, path) => trees.get(treeNamed(name))?.get(path) ?? null,
    readIn: (folder, path) => checkouts.get(folder)?.get(path) ?? null,
  };
}

function changedPaths(before: Files, now: Files): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path)).sort();
}

const isUnder = (path: string, pattern: string) => {
  const folder = pattern.replace(/\/?\*\*$/, '');
  return path === folder || path.startsWith(`${folder}/`);
};

function changesOf(before: Files | undefined, now: Files): Changes | null {
  if (!before) return null;
  const paths = changedPaths(before, now);
  if (paths.length === 0) return { stat: '', patch: '', isWhole: true };
  const lines = (sign: string, text: string | undefined) => (text ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`${sign}${line}`]));
  const patch = paths.flatMap((path) => [`diff ${path}`, ...lines('-', before.get(path)), ...lines('+', now.get(path))]);
  return { stat: [...paths, `${paths.length} files changed`].join('\n'), patch: `${patch.join('\n')}\n`, isWhole: true };
}
