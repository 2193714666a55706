import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { copyPath, isSame, movePath, obstacleAt, openRights, pathAt, removeIn, statOf } from './setting-files.ts';

/** A work tree in which agents find settings, and where Ralph puts what they may not obey. */
export interface ShelfPlace {
  readonly tree: string;
  /** A folder that no agent can write. */
  readonly shelf: string;
}

/** The shelf of a worktree, whichever run works in it: whoever takes it over from a killed run puts it in order. */
export const shelfOf = (commonDir: string, worktree: string) => join(commonDir, 'ralph', 'shelves', basename(worktree));

/** For the one folder in which the agents of a run work: beside the run's folder for it. */
export function settingsBeside({ tree, folder, obeyed }: Pick<SettingsPlace, 'tree' | 'obeyed'> & { readonly folder: string }): SettingsPlace {
  return { tree, obeyed, base: join(dirname(folder), 'agent-settings'), shelf: join(dirname(folder), 'shelf') };
}

/** The settings that agents take from a work tree. */
export interface SettingsPlace extends ShelfPlace {
  /** Has the operator's. It outlives the sittings of a run. */
  readonly base: string;
  /** Files and folders that agents obey, by their paths below the top: settings, hooks, servers, skills. */
  readonly obeyed: readonly string[];
}

/** What was moved away so that the operator's version of a path could take its place; null: there was nothing. */
interface Shelved {
  readonly path: string;
  readonly moved: string | null;
}

const listOf = (shelf: string) => join(shelf, 'list.json');
/** Exists once the operator's settings are in the tree, so that an agent may have changed them. */
const shownOf = (shelf: string) => join(shelf, 'shown');
const onShelf = (shelf: string, path: string) => join(shelf, 'moved', encodeURIComponent(path));
const movedIn = (shelved: readonly Shelved[]) => [...new Set(shelved.flatMap(({ moved }) => moved ?? []))];

/** Keeps what the operator has at the start of the run, once. */
export async function keepOnce(base: string, fill: (half: string) => void | Promise<void>): Promise<void> {
  if (existsSync(base)) return;
  const half = `${base}.new`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o700 });
  await fill(half);
  renameSync(half, base);
}

/** Copies the operator's settings, committed or not. */
export function copySettings(obeyed: readonly string[], from: string, to: string): void {
  for (const path of obeyed) copyPath(join(from, path), join(to, path));
}

/**
 * Before an agent starts: gives it the settings that the operator had at the start of the run. What an earlier agent has made of them lies on the shelf until
 * this one has ended: it is work like any other, but no agent of the same run obeys it.
 */
export function showOperatorsSettings({ tree, shelf, base, obeyed }: SettingsPlace): void {
  if (existsSync(listOf(shelf))) return;
  for (const path of obeyed) openRights(tree, path);
  const changed = obeyed.filter((path) => !isSame(join(base, path), pathAt(tree, path)));
  if (changed.length === 0) return;
  const shelved = changed.map((path): Shelved => ({ path, moved: obstacleAt(tree, path) }));
  rmSync(shelf, { recursive: true, force: true });
  mkdirSync(join(shelf, 'moved'), { recursive: true, mode: 0o700 });
  // Later looks compare with what this agent was shown.
  copySettings(changed, base, join(shelf, 'operators'));
  writeFileSync(listOf(shelf), JSON.stringify(shelved), { mode: 0o600 });
  for (const moved of movedIn(shelved)) movePath(join(tree, moved), onShelf(shelf, moved));
  for (const path of changed) copyPath(join(base, path), join(tree, path));
  writeFileSync(shownOf(shelf), '', { mode: 0o600 });
}

/** After the agent has ended, also one that a killed loop left: what it has not changed is again what it was. */
export function takeSettingsBack({ tree, shelf }: ShelfPlace): void {
  if (!existsSync(listOf(shelf))) return;
  const shelved = JSON.parse(readFileSync(listOf(shelf), 'utf8')) as readonly Shelved[];
  for (const { path } of shelved) openRights(tree, path);
  const untouched = existsSync(shownOf(shelf)) ? changedBack({ tree, shelf }, shelved) : halfShown({ tree, shelf }, shelved);
  for (const { path } of untouched) removeIn(tree, path);
  const isLeft = (moved: string) => shelved.every((each) => each.moved !== moved || untouched.includes(each));
  for (const moved of movedIn(shelved)) if (isLeft(moved)) putBack({ tree, shelf }, moved);
  rmSync(shelf, { recursive: true, force: true });
}

function changedBack({ tree, shelf }: ShelfPlace, shelved: readonly Shelved[]): readonly Shelved[] {
  return shelved.filter(({ path }) => isSame(join(shelf, 'operators', path), pathAt(tree, path)));
}

/** The loop died before the agent began: all that was moved goes back. */
function halfShown({ shelf }: ShelfPlace, shelved: readonly Shelved[]): readonly Shelved[] {
  return shelved.filter(({ moved }) => moved === null || statOf(onShelf(shelf, moved)) !== null);
}

/** If something else is there now, that stays. */
function putBack({ tree, shelf }: ShelfPlace, path: string): void {
  if (statOf(onShelf(shelf, path)) !== null && pathAt(tree, path) === null) movePath(onShelf(shelf, path), join(tree, path));
}
