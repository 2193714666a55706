import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Ralph never changes the operator's own .gitignore. */
export async function excludeOurFiles(commonDir: string): Promise<void> {
  await exclude(OUR_FILES, 'files of ralph', commonDir);
}

/** Adds each missing pattern once, for all worktrees of the repository. Leaves a read-only exclude file alone. */
export async function exclude(patterns: readonly string[], what: string, commonDir: string): Promise<void> {
  const path = join(commonDir, 'info', 'exclude');
  const present = await readFile(path, 'utf8').catch(() => '');
  const lines = new Set(present.split('\n').map((line) => line.trim()));
  const missing = patterns.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return;
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  await mkdir(dirname(path), { recursive: true });
  const add = () => appendFile(path, `${gap}# ${what}\n${missing.join('\n')}\n`);
  await add()
    .catch(add)
    .catch(() => undefined);
}

/**
 * Ralph's own files as .gitignore patterns, for every folder in which a loop works. They stay out of the operator's history; settings and keys belong to the
 * operator.
 */
export const OUR_FILES: readonly string[] = [
  ...['**/.ralph/*', '!**/.ralph/settings.json', '!**/.ralph/receipt-keys'],
  ...['.ralph-active', 'logs/ralph.*', 'logs/task-audit.jsonl'],
];
