import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { loginsBeside } from './agent-logins.ts';
import { existingPaths } from './existing-paths.ts';
import { CACHES, HOME_SECRETS, PROGRAMS_IN_CACHES, SYSTEM_SECRETS } from './home-secrets.ts';
import { makeFolderIn } from './make-missing.ts';
import type { MountRule } from './mount-plan.ts';

/** What is secret is not there, in the home and elsewhere. `agentKind` is whose login is needed; null: nobody's. */
export async function secretRules(home: string | null, agentKind: string | null): Promise<readonly MountRule[]> {
  const inHome = home === null ? [] : [...HOME_SECRETS, ...loginsBeside(agentKind)].map((name) => join(home, name));
  const found = await existingPaths([...inHome, ...SYSTEM_SECRETS]);
  return found.map(({ path, isFolder }) => ({ path, as: 'hidden', isFolder }));
}

/** Tools can fill their caches, and those of the host stay as they are. */
export async function cacheRules(home: string, cacheFolder: string): Promise<readonly MountRule[]> {
  for (const name of CACHES.made) await makeFolderIn(home, name, 0o700);
  const rules = await Promise.all(
    [...CACHES.made, ...CACHES.ifThere].map(async (name): Promise<readonly MountRule[]> => {
      const real = await realpath(join(home, name)).catch(() => null);
      if (real === null) return [];
      const by = join(cacheFolder, 'home', name.replaceAll('/', '-'));
      await mkdir(by, { recursive: true, mode: 0o700 });
      return [{ path: real, as: 'replaced', by }];
    }),
  );
  const programs = await existingPaths(PROGRAMS_IN_CACHES.map((name) => join(home, name)));
  return [...rules.flat(), ...programs.map(({ path }): MountRule => ({ path, as: 'read-only' }))];
}
