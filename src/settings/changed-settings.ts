import { join } from 'node:path';
import type { Ports } from '../engine/ports/ports.ts';
import { readText } from '../kit/files/read-text.ts';
import { RALPH_YAML } from './load-loop-settings.ts';
import { SETTINGS_FILES } from './load-settings.ts';

const FILES = [...SETTINGS_FILES, RALPH_YAML] as const;

/** Returns a function that names the settings files changed since this call, each change once. */
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

/** Does not block on a pipe that an agent may have put there. */
async function contentOf(path: string): Promise<string> {
  const read = await readText(path, 'refuse pipes');
  return read.kind === 'text' ? `text: ${read.text}` : `no text: ${read.reason}`;
}

/** Returns the current text of the spec, and whether it has changed since the last call or, at first, since the start of the run. */
export function watchSpec(atStart: string): Ports['changedSpec'] {
  let known: string | null = atStart;
  return async (path) => {
    const read = await readText(path, 'refuse pipes');
    const text = read.kind === 'text' ? read.text : null;
    const isNew = text !== known;
    known = text;
    return { text, isNew };
  };
}
