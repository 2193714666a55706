import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Our own files, kept out of the user's history through `.git/info/exclude`; settings.json stays committable. */
const PATTERNS = ['.ralph/*', '!.ralph/settings.json', '.ralph-active', 'logs/ralph.*', 'logs/task-audit.jsonl'];

/** Adds what is missing, once. The user's own .gitignore is never touched; a read-only exclude file is left alone. */
export async function excludeOurFiles(commonDir: string): Promise<void> {
  const path = join(commonDir, 'info', 'exclude');
  const present = (await readFile(path, 'utf8').catch(() => '')) ?? '';
  const lines = new Set(present.split('\n').map((line) => line.trim()));
  const missing = PATTERNS.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return;
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${gap}# files of ralph\n${missing.join('\n')}\n`).catch(() => undefined);
}

/**
 * The same once more inside `.ralph/`, where it also holds in a subdirectory and for an agent that rewrites the exclude file. It hides itself;
 * a file that is there already is the user's and stays as it is.
 */
export async function hideOurFolder(viewFolder: string): Promise<void> {
  await writeFile(join(viewFolder, '.gitignore'), '*\n!settings.json\n', { flag: 'wx' }).catch(() => undefined);
}
