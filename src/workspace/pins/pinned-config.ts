import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { openGitCommand, type Variables } from '../git/git-command.ts';
import { type KeptPins, keepPins } from './pinned-kept.ts';
import { isOfASparseWorktree, type Setting } from './pinned-keys.ts';
import { differing, lstatOf, movePath, putPathBack, type Remembered, readBytes, remember, rememberedAt, type Seen, writeNew } from './pinned-path.ts';
import { type PinnedSettings, putSettingsBack, rememberSettings, type SettingsBefore, saysTheSame } from './pinned-settings.ts';

/**
 * What git obeys, as it was at the start: settings, attributes, hooks, and what tells it where all of these lie. Whoever can write there has
 * commands run by the next git, outside of any wall.
 */
export interface Pins {
  /**
   * Puts back what differs, one caller after the other, and names all that was since it was last asked. What was there instead is in the run's
   * folder, under `planted`. Throws when something cannot be put back.
   */
  mend(): Promise<readonly string[]>;
  /** The same for what the loop's own git obeys, which runs no hook. What it finds is named by the next `mend`. */
  mendSettings(): Promise<void>;
}

export interface PinsPlace {
  readonly commonDir: string;
  readonly gitDir: string;
  readonly topLevel: string;
  readonly cwd: string;
  readonly env: Variables;
  /** Pins are kept there, so that a run that goes on has those of its start. */
  readonly runFolder: string;
  /** new-files: behind a wall that keeps agents from writing what is there already, only what was not there is looked after; all else is the operator's to change. */
  readonly agentsReach: 'everything' | 'new-files';
}

export async function openPins(asked: PinsPlace): Promise<Pins> {
  const place = { ...asked, commonDir: await realpath(asked.commonDir), gitDir: await realpath(asked.gitDir), cwd: await realpath(asked.cwd) };
  const git = openGitCommand(place.commonDir, withoutGitVariables(place.env));
  const kept = await keepPins(place.runFolder, async () => ({ settings: await settingsBefore(place), paths: await pathsBefore(place) }));
  const planted = openPlanted(join(place.runFolder, 'planted'));
  const seen: Seen = new Map();
  const isWithinReach = (wasThere: boolean) => place.agentsReach === 'everything' || !wasThere;

  const mendPath = async ([path, was]: readonly [string, Remembered]) => {
    // In a folder that somebody has removed there is nothing that git could obey.
    if (!isWithinReach(was.kind !== 'absent') || (await lstatOf(dirname(path))) === null) return;
    for (const found of await differing(path, was, seen)) {
      await putPathBack(found, rememberedAt(was, relative(path, found).split(sep).filter(Boolean)), planted.moveAway);
      planted.tell(found);
    }
  };
  const mendFile = async (pinned: PinnedSettings) => {
    if (!isWithinReach(pinned.base64 !== null) || (await saysTheSame(git, pinned, seen))) return;
    await putSettingsBack(git, pinned, planted.moveAway);
    planted.tell(pinned.path);
  };
  const mendWorktree = async (admin: string) => {
    if (await isLedElsewhere(admin, place.commonDir)) {
      const path = join(admin, 'commondir');
      await planted.moveAway(path);
      await writeNew(path, Buffer.from('../..\n'), 0o644);
      planted.tell(path);
    }
    const path = join(admin, 'config.worktree');
    if (!(path in kept.settings)) await mendFile({ path, base64: null, settings: [], isAlsoFree: comesWithAWorktree(kept, place) });
  };
  const mendInfo = async () => {
    const path = join(place.commonDir, 'info');
    const found = await lstatOf(path);
    if (path in kept.paths || found === null || found.isDirectory()) return;
    await planted.moveAway(path);
    await mkdir(path);
    planted.tell(path);
  };
  const mendSettings = async () => {
    await refuseLostFolder(place.commonDir);
    await mendInfo();
    for (const pinned of Object.entries(kept.paths)) if (!isHooks(pinned)) await mendPath(pinned);
    for (const [path, before] of Object.entries(kept.settings)) await mendFile({ path, ...before, isAlsoFree: () => false });
    for (const admin of await adminFolders(place.commonDir)) await mendWorktree(admin).catch(passOverVanished);
  };
  const mend = async () => {
    await mendSettings();
    for (const pinned of Object.entries(kept.paths)) if (isHooks(pinned)) await mendPath(pinned);
    return planted.told();
  };
  const inTurn = oneAfterTheOther();
  return { mend: () => inTurn(mend), mendSettings: () => inTurn(mendSettings) };

  async function settingsBefore({ commonDir, gitDir }: PinsPlace): Promise<Record<string, SettingsBefore>> {
    const paths = new Set([join(commonDir, 'config'), join(commonDir, 'config.worktree'), join(gitDir, 'config.worktree')]);
    // One that is a link at the start is read through it; the link is pinned by itself.
    const real = await Promise.all([...paths].map((path) => realpath(path).catch(() => path)));
    return Object.fromEntries(await Promise.all(real.map(async (path) => [path, await rememberSettings(git, path)] as const)));
  }
}

const isHooks = ([path]: readonly [string, Remembered]) => basename(path) === 'hooks';

/** Also where a repository could be put between where one stands and the top, and what would make of a whole git folder a part of another one. */
async function pathsBefore({ commonDir, gitDir, topLevel, cwd }: PinsPlace): Promise<Record<string, Remembered>> {
  const below = relative(topLevel, cwd)
    .split(sep)
    .filter((name) => name !== '' && name !== '..');
  const between = below.map((_, index) => join(topLevel, ...below.slice(0, index + 1), '.git'));
  const own = gitDir === commonDir ? [] : [join(topLevel, '.git'), join(gitDir, 'commondir'), join(gitDir, 'gitdir')];
  const whole = [join(commonDir, 'commondir'), join(commonDir, 'info', 'attributes'), join(commonDir, 'hooks'), ...own, ...between];
  const paths = Object.fromEntries(await Promise.all(whole.map(async (path) => [path, await remember(path)] as const)));
  for (const path of [join(commonDir, 'config'), join(commonDir, 'info')]) if ((await lstatOf(path))?.isSymbolicLink()) paths[path] = await remember(path);
  return paths;
}

/** Git gives a new worktree the settings of its first one. */
function comesWithAWorktree({ settings }: KeptPins, { commonDir }: PinsPlace): (setting: Setting) => boolean {
  const first = settings[join(commonDir, 'config.worktree')]?.settings ?? [];
  return (setting) => isOfASparseWorktree(setting) || first.some(({ key, value }) => key === setting.key && value === setting.value);
}

/** Others remove their worktrees while we look at them: what is no longer there is nothing to mend. */
function passOverVanished(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

async function adminFolders(commonDir: string): Promise<readonly string[]> {
  const all = join(commonDir, 'worktrees');
  return (await readdir(all).catch(() => [])).map((name) => join(all, name));
}

/** Its own folder has no other common one than ours. */
async function isLedElsewhere(admin: string, commonDir: string): Promise<boolean> {
  const path = join(admin, 'commondir');
  const found = await lstatOf(path);
  // Git is about to write it, or to remove all of it.
  if (found === null || (found.isFile() && found.size === 0n)) return false;
  if (!found.isFile() || found.size > 4096n) return true;
  return resolve(admin, (await readBytes(path)).toString().trim()) !== commonDir;
}

/** A folder of git's that has become something else is not put back: nobody has kept all that was in it. */
async function refuseLostFolder(commonDir: string): Promise<void> {
  if ((await lstatOf(commonDir))?.isDirectory()) return;
  const hint = 'Bring it back, and continue the run with: ralph runs resume';
  throw new OperatorError('repository-gone', `${commonDir} is no longer the folder it was`, { hint, exitCode: 4 });
}

function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Where what was planted is kept for a person to look at, and what there is to tell of it. */
export interface Planted {
  moveAway(path: string): Promise<void>;
  tell(path: string): void;
  /** Each once. */
  told(): readonly string[];
}

function openPlanted(folder: string): Planted {
  const paths = new Set<string>();
  return {
    async moveAway(path) {
      if ((await lstatOf(path)) === null) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await movePath(path, join(folder, `${basename(dirname(path))}-${basename(path)}-${randomUUID().slice(0, 8)}`));
    },
    tell: (path) => void paths.add(path),
    told() {
      const all = [...paths].sort();
      paths.clear();
      return all;
    },
  };
}
