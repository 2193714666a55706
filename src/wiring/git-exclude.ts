import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OUR_FILES } from '../model/our-files.ts';

/** Adds what is missing, once. The user's own .gitignore is never touched; a read-only exclude file is left alone. */
export async function excludeOurFiles(commonDir: string): Promise<void> {
  const path = join(commonDir, 'info', 'exclude');
  const present = (await readFile(path, 'utf8').catch(() => '')) ?? '';
  const lines = new Set(present.split('\n').map((line) => line.trim()));
  const missing = OUR_FILES.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return;
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${gap}# files of ralph\n${missing.join('\n')}\n`).catch(() => undefined);
}
