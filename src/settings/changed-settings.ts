import { join } from 'node:path';
import { readText } from '../kit/files/read-text.ts';
import { SETTINGS_FILES } from './load-settings.ts';
import { RALPH_YAML } from './read-ralph-yaml.ts';

const FILES = [...SETTINGS_FILES, RALPH_YAML] as const;

/** Tells which settings files are not what they were when this was called, each change once. */
export async function watchSettings(cwd: string): Promise<() => Promise<readonly string[]>> {
  const contents = () => Promise.all(FILES.map((name) => contentOf(join(cwd, name))));
  let before = await contents();
  return async () => {
    const now = await contents();
    const changed = FILES.filter((_, index) => now[index] !== before[index]);
    before = now;
    return changed;
  };
}

/** A pipe that an agent has put there is never waited for. */
async function contentOf(path: string): Promise<string> {
  const read = await readText(path, 'refuse pipes');
  return read.kind === 'text' ? `text: ${read.text}` : `no text: ${read.reason}`;
}
