import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What `writeAtomic` leaves of our files when it is killed. */
const LEFTOVER = /^(?:\.pending\.json|prd\.md|tasks\.json|progress\.txt|prompt\.md)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** For whoever does again what somebody else was killed at. Nobody writes there meanwhile: no loop is at work. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((found) => LEFTOVER.test(found))) await rm(join(folder, name), { force: true });
}
