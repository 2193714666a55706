/** As `git config --list -z` has it: section and key in small letters, what stands between them as it was written. */
export interface Setting {
  readonly key: string;
  /** Null: a key without a value, which git takes for true. */
  readonly value: string | null;
}

export function settingsOf(listed: string): readonly Setting[] {
  return listed
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end === -1 ? { key: entry, value: null } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}

const FREE = [/^user\.(name|email)$/, /^branch\..+\.(merge|rebase|description)$/s, /^submodule\..+\.(url|active)$/s];
const NAMES_A_REMOTE = /^branch\..+\.(remote|pushremote)$/s;
const OF_A_SPARSE_WORKTREE = /^(core\.sparsecheckout(cone)?|index\.sparse)$/;

/**
 * What may change while a run is at work, since nobody is led anywhere by it: who commits, what a branch follows, which submodules are
 * there. All else stays: so many keys name a command, a file to include, a place to push to or a way to look past a change, and each git
 * brings new ones, that a list of the dangerous ones would never be whole. A branch may follow a remote that was known before; as a path or
 * an address that word would lead elsewhere.
 */
export function isFree({ key, value }: Setting, before: readonly Setting[]): boolean {
  if (FREE.some((pattern) => pattern.test(key))) return true;
  return NAMES_A_REMOTE.test(key) && value !== null && (value === '.' || before.some((known) => known.key === `remote.${value}.url`));
}

/** Git writes these itself into the settings of a worktree that it makes. */
export const isOfASparseWorktree = ({ key }: Setting) => OF_A_SPARSE_WORKTREE.test(key);

/** Whether the settings that are not free are the same, in the same order: the last of several counts. */
export function holdsTheSame(before: readonly Setting[], now: readonly Setting[], isAlsoFree: (setting: Setting) => boolean): boolean {
  const pinned = (settings: readonly Setting[]) => settings.filter((setting) => !isFree(setting, before) && !isAlsoFree(setting));
  const [first, second] = [pinned(before), pinned(now)];
  return first.length === second.length && first.every(({ key, value }, index) => key === second[index]?.key && value === second[index]?.value);
}
