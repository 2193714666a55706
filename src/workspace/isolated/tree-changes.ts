/** A path below the top of a work tree: its bytes, one character each, because a name need not be text. */
export type TreePath = string;

export const pathsOf = (names: readonly string[]): readonly TreePath[] => names.map((name) => Buffer.from(name).toString('latin1'));

export const namesOf = (paths: readonly TreePath[]) => paths.map((path) => Buffer.from(path, 'latin1').toString());

export interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** One path in which two trees differ. Null: the tree has nothing there. */
export interface Change {
  readonly path: TreePath;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

const REPOSITORY = '160000';

/** Parses the output of `diff-tree -r -z --raw --no-renames --no-abbrev`, already split at its NULs. */
export function changesIn(fields: readonly string[]): readonly Change[] {
  return fields.flatMap((field, index) => {
    const [, oldMode = '', mode = '', oldId = '', id = ''] = /^:(\d+) (\d+) (\w+) (\w+) [A-Z]$/.exec(field) ?? [];
    const path = fields[index + 1];
    if (mode === '' || path === undefined || index % 2 === 1) return [];
    return [{ path, before: entryOf(oldMode, oldId), after: entryOf(mode, id) }];
  });
}

const entryOf = (mode: string, id: string): Entry | null => (mode === '000000' ? null : { mode, id });

/** The tree has only the commit of a nested repository, so its files are not handled here. */
export const isRepository = ({ before, after }: Change) => before?.mode === REPOSITORY || after?.mode === REPOSITORY;

export const isNewRepository = ({ before, after }: Change) => after?.mode === REPOSITORY && before?.mode !== REPOSITORY;

export function isAtOrBelow(path: TreePath, folders: readonly TreePath[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

export interface Landing {
  readonly landed: readonly Change[];
  /** Paths that the other side has changed differently meanwhile. */
  readonly inTheWay: readonly Change[];
}

/**
 * Which of one side's changes to a tree can be applied to the other side, which did `meanwhile` to the same tree. Changes that both made are in neither list.
 */
export function landingOf(changes: readonly Change[], meanwhile: readonly Change[]): Landing {
  const there = new Map(meanwhile.map((change) => [change.path, change]));
  const open = changes.filter(({ path, after }) => !there.has(path) || !isSame(there.get(path)?.after ?? null, after));
  return { landed: open.filter(({ path }) => !there.has(path)), inTheWay: open.filter(({ path }) => there.has(path)) };
}

const isSame = (one: Entry | null, other: Entry | null) => one?.mode === other?.mode && one?.id === other?.id;

const NAMED = 3;

/** The first few names; null if there are none. */
export function listed(changes: readonly Change[]): string | null {
  const names = namesOf(changes.slice(0, NAMED).map(({ path }) => path)).join(', ');
  return changes.length === 0 ? null : names + (changes.length > NAMED ? ` and ${changes.length - NAMED} more` : '');
}
