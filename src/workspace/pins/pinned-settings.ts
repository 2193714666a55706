import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../../kit/files/read.ts';
import { firstComplaint, type Git } from '../git/git-command.ts';
import { holdsTheSame, isFree, type Setting, settingsOf } from './pinned-keys.ts';
import { isAsSeen, lstatOf, readBytes, type Seen } from './pinned-path.ts';

/** A file of settings as it was at the start; the bytes null: it was not there. */
export interface SettingsBefore {
  readonly base64: string | null;
  readonly settings: readonly Setting[];
}

export interface PinnedSettings extends SettingsBefore {
  readonly path: string;
  /** Settings that may change in this file beside those that may in each. */
  readonly isAlsoFree: (setting: Setting) => boolean;
}

type MoveAway = (path: string) => Promise<void>;

const MOST_BYTES = 1024 * 1024;
const MOST_FREE = 200;
/** A git that writes its settings has them locked for a moment only. */
const LOCKED_MS = 2_000;
const LOOK_EVERY_MS = 20;
/** The files are read by their names: neither what the repository has become nor what the user has set may have a say in it. */
const IN_NO_REPOSITORY = { GIT_DIR: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

export async function rememberSettings(git: Git, path: string): Promise<SettingsBefore> {
  const found = await lstatOf(path);
  if (!found?.isFile()) return { base64: null, settings: [] };
  return { base64: (await readBytes(path)).toString('base64'), settings: await settingsIn(git, path) };
}

/** Whether the file says the same as before, but for what may change. One that git cannot read says something else. */
export async function saysTheSame(git: Git, { path, base64, settings, isAlsoFree }: PinnedSettings, seen: Seen): Promise<boolean> {
  if ((await lstatOf(path)) === null) return base64 === null;
  const isAsBefore = await isAsSeen(path, seen, async (found) => {
    if (!found.isFile() || found.size > MOST_BYTES) return false;
    if ((await readBytes(path)).toString('base64') === base64) return true;
    return await settingsIn(git, path).then(
      (now) => holdsTheSame(settings, now, isAlsoFree),
      () => false,
    );
  });
  // It may have been removed while we looked.
  return isAsBefore || (base64 === null && (await lstatOf(path)) === null);
}

/**
 * Makes the file what it was, with what may change as it is now. Git's own lock is held meanwhile, so that nothing is lost or half there of a
 * git that writes at the same moment; a lock that was left lying is moved away like the rest.
 */
export async function putSettingsBack(git: Git, pinned: PinnedSettings, moveAway: MoveAway): Promise<void> {
  const { path } = pinned;
  const lock = `${path}.lock`;
  await takeLock(lock, moveAway);
  try {
    const found = await lstatOf(path);
    const now = found?.isFile() && found.size <= MOST_BYTES ? await settingsIn(git, path).catch(() => []) : [];
    const bytes = await mended(git, pinned, now);
    await moveAway(path);
    if (bytes.length === 0 && pinned.base64 === null) return await rm(lock);
    await writeFile(lock, bytes);
    await rename(lock, path);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

async function takeLock(lock: string, moveAway: MoveAway): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    try {
      return await (await open(lock, 'wx', 0o644)).close();
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      if (waitedMs >= LOCKED_MS) await moveAway(lock);
      else await sleep(LOOK_EVERY_MS);
    }
  }
}

/** The bytes of the start, in which git itself has set what is free to what it is now. */
async function mended(git: Git, { path, base64, settings, isAlsoFree }: PinnedSettings, now: readonly Setting[]): Promise<Buffer> {
  const before = Buffer.from(base64 ?? '', 'base64');
  const mayChange = (setting: Setting) => isFree(setting, settings) || isAlsoFree(setting);
  const [had, has] = [settings.filter(mayChange), now.filter(mayChange)];
  if (has.length > MOST_FREE || JSON.stringify(had) === JSON.stringify(has)) return before;
  const copy = `${path}.${randomUUID()}`;
  const set = (...words: readonly string[]) => git(['config', '--file', copy, ...words], IN_NO_REPOSITORY);
  try {
    await writeFile(copy, before, { flag: 'wx' });
    for (const key of new Set(had.map((setting) => setting.key))) await set('--unset-all', key);
    for (const { key, value } of has) await set('--add', key, value ?? 'true');
    return await readBytes(copy);
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

async function settingsIn(git: Git, path: string): Promise<readonly Setting[]> {
  const listed = await git(['config', '--no-includes', '--file', path, '-z', '--list'], IN_NO_REPOSITORY);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
  return settingsOf(listed.stdout);
}
