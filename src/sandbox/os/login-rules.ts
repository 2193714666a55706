import { copyFile, mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import type { AgentLogin } from '../agent-login.ts';
import { linkRules, type MountRule, makeFolderIn } from './mount-plan.ts';
import { trustedWay } from './trusted-path.ts';

interface LoginPlace {
  readonly home: string;
  readonly login: AgentLogin;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the copies, which exists as long as the sandbox. */
  readonly copies: string;
}

export interface LoginRules {
  readonly rules: readonly MountRule[];
  /** Files that do not exist, that an agent can create, and that the host would run later. Ralph checks them afterwards. */
  readonly watched: readonly string[];
}

/** Rules for the login of the agent that is about to start: the agent can use and renew it, but leave nothing in it that runs outside the sandbox. */
export async function loginRules({ home, login, env, copies }: LoginPlace): Promise<LoginRules> {
  const folders = (await Promise.all(login.folders.map((name, at) => folderOf(name, { home, moved: at === 0 ? env[login.movedBy ?? ''] : undefined })))).flat();
  const at = (name: string) => placeOf(name, folders, home);
  const rules: MountRule[] = folders.flatMap(({ path, links }) => [{ path, as: 'writable' as const }, ...links]);
  rules.push(...login.files.flatMap((name) => shown(at(name))));
  for (const name of login.private) if (await pathExists(at(name))) rules.push({ path: at(name), as: 'private' });
  for (const name of login.sealed) if ((await realpath(at(name)).catch(() => null)) === at(name)) rules.push({ path: at(name), as: 'read-only' });
  for (const name of login.unpacked) if (await isKeptByNobody(at(name))) rules.push({ path: at(name), as: 'private' });
  rules.push(...(await copiesOf(login, { at, copies, folders })));
  return { rules, watched: folders.length === 0 ? [] : login.sealed.map(at) };
}

function shown(path: string): readonly MountRule[] {
  const way = trustedWay(path, () => false);
  return way === null ? [] : [{ path: way.real, as: 'read-only' }, ...linkRules(way.links)];
}

/** Whether the folder has only names with a dot, as the agent's own files have. Creates the folder if it is missing. */
async function isKeptByNobody(folder: string): Promise<boolean> {
  await makeFolderIn(dirname(folder), basename(folder), 0o700);
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => name.startsWith('.')) ?? false;
}

interface LoginFolder {
  readonly name: string;
  readonly path: string;
  /** The links on the way to the folder. */
  readonly links: readonly MountRule[];
}

/** Empty when the home does not exist: then the agent runs without its login. */
async function folderOf(name: string, { home, moved }: { readonly home: string; readonly moved: string | undefined }): Promise<readonly LoginFolder[]> {
  const isMoved = moved !== undefined && isAbsolute(moved);
  if (!isMoved) await makeFolderIn(home, name, 0o700);
  const way = trustedWay(isMoved ? moved : join(home, name), () => false);
  return way === null ? [] : [{ name, path: way.real, links: linkRules(way.links) }];
}

/** The path of a file, with the real path of its folder. */
function placeOf(name: string, folders: readonly LoginFolder[], home: string): string {
  const folder = folders.find((each) => name.startsWith(`${each.name}/`));
  return folder === undefined ? join(home, name) : join(folder.path, name.slice(folder.name.length + 1));
}

interface CopyPlace {
  readonly at: (name: string) => string;
  readonly copies: string;
  readonly folders: readonly LoginFolder[];
}

/** One copy per sandbox, so that every start sees what the one before has written. If a variable moves the folder, the file is in that folder. */
async function copiesOf({ copied }: AgentLogin, { at, copies, folders }: CopyPlace): Promise<readonly MountRule[]> {
  const rules: MountRule[] = [];
  const originals = copied.flatMap((name) => [at(name), ...folders.map(({ path }) => join(path, name))]);
  for (const [number, original] of originals.entries()) {
    const real = await realpath(original).catch(() => null);
    if (real === null) continue;
    const copy = join(copies, String(number));
    if (!(await pathExists(copy))) {
      await mkdir(copies, { recursive: true, mode: 0o700 });
      await copyFile(real, copy);
    }
    rules.push({ path: real, as: 'replaced', by: copy });
  }
  return rules;
}
