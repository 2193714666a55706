import { copyFile, mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { type AgentLogin, loginOf } from './agent-logins.ts';
import { linkRules, type MountRule, makeFolderIn } from './mount-plan.ts';
import { trustedWay } from './trusted-path.ts';

interface LoginPlace {
  readonly home: string;
  readonly agentKind: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where copies lie, for as long as the wall stands. */
  readonly copies: string;
}

export interface LoginRules {
  readonly rules: readonly MountRule[];
  /** What would be run on the host later and can be made, since it is not there: to be watched. */
  readonly watched: readonly string[];
}

/** The login of the agent that is about to start: it may be renewed and used, but nothing be left in it that runs outside of the wall. */
export async function loginRules({ home, agentKind, env, copies }: LoginPlace): Promise<LoginRules> {
  const login = loginOf(agentKind);
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

/** Made if it is missing. What an agent unpacks itself begins with a dot. */
async function isKeptByNobody(folder: string): Promise<boolean> {
  await makeFolderIn(dirname(folder), basename(folder), 0o700);
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => name.startsWith('.')) ?? false;
}

interface LoginFolder {
  readonly name: string;
  readonly path: string;
  /** On the way to it. */
  readonly links: readonly MountRule[];
}

/** None where there is no home to make it in: the agent has to live without. */
async function folderOf(name: string, { home, moved }: { readonly home: string; readonly moved: string | undefined }): Promise<readonly LoginFolder[]> {
  const isMoved = moved !== undefined && isAbsolute(moved);
  if (!isMoved) await makeFolderIn(home, name, 0o700);
  const way = trustedWay(isMoved ? moved : join(home, name), () => false);
  return way === null ? [] : [{ name, path: way.real, links: linkRules(way.links) }];
}

/** By the real path of the folder it lies in. */
function placeOf(name: string, folders: readonly LoginFolder[], home: string): string {
  const folder = folders.find((each) => name.startsWith(`${each.name}/`));
  return folder === undefined ? join(home, name) : join(folder.path, name.slice(folder.name.length + 1));
}

interface CopyPlace {
  readonly at: (name: string) => string;
  readonly copies: string;
  readonly folders: readonly LoginFolder[];
}

/** One copy for as long as the wall stands, so that what one start remembers the next one knows. A file that was moved lies in the folder itself. */
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
