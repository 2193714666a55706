import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS_FILES } from './config/load-settings.ts';

/** Tells which settings files are not what they were when this was called, each change once. */
export async function watchSettings(cwd: string): Promise<() => Promise<readonly string[]>> {
  const contents = () => Promise.all(SETTINGS_FILES.map((name) => readFile(join(cwd, name), 'utf8').catch(() => null)));
  let before = await contents();
  return async () => {
    const now = await contents();
    const changed = SETTINGS_FILES.filter((_, index) => now[index] !== before[index]);
    before = now;
    return changed;
  };
}
