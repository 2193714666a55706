import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Projection } from '../../engine/contracts.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { ProgressEntry } from '../../journal/state/iteration.ts';
import { makeViewFolder } from '../../store/user-folders.ts';
import { progressText } from '../views/progress-text.ts';

const WORTH_WRITING: ReadonlySet<EventBody['type']> = new Set(['run.started', 'run.resumed', 'iteration.closed']);
const TITLE = '# Ralph Loop — Progress\n\n> Written by the loop after every iteration. No prompt reads this file.\n';
/** Large enough for the last iteration, whatever its checks printed. */
const END_BYTES = 65_536;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/** Keeps a run's progress.md (seed 004), and a link to it where people look. The file only grows. A write error affects nothing but this view. */
export function keepProgressFile(path: string, linkPath: string): Projection {
  let last: Promise<void> = Promise.resolve();
  const next = (work: () => Promise<void>) => {
    last = last.then(work).catch(() => undefined);
  };
  return {
    onEvent({ body }, state) {
      if (!WORTH_WRITING.has(body.type)) return;
      const entries = state.closed.map(({ entry }) => entry);
      next(() => addNew(path, entries));
      if (body.type !== 'iteration.closed') next(() => pointTo(path, linkPath));
    },
    async close() {
      await last;
    },
  };
}

/** Writes every missing iteration at once: if a crash came between the journal and this file, the next write repairs it. */
async function addNew(path: string, entries: readonly ProgressEntry[]): Promise<void> {
  await using file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const end = await endOf(file);
  if (end === null) return;
  const lastNumber = Number([...end.matchAll(/^## Iteration (\d+) /gm)].at(-1)?.[1] ?? 0);
  const missing = entries.filter(({ iteration }) => iteration > lastNumber);
  const text = [...(end === '' ? [TITLE] : []), ...missing.map((entry) => `\n${progressText([entry])}\n`)].join('');
  if (text !== '') await file.appendFile(text);
}

/** Agents can reach the file through the link. So only its end is read, and never something that could block, such as a pipe. */
async function endOf(file: FileHandle): Promise<string | null> {
  const found = await file.stat();
  if (!found.isFile()) return null;
  const bytes = Math.min(found.size, END_BYTES);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: found.size - bytes });
  return buffer.toString('utf8', 0, bytesRead);
}

/** Replaces an earlier link and never follows one; a regular file that somebody wrote there stays. */
async function pointTo(path: string, linkPath: string): Promise<void> {
  if (!(await makeViewFolder(dirname(linkPath)))) return;
  const there = await lstat(linkPath).catch(() => null);
  if (there !== null && !there.isSymbolicLink()) return;
  const temporary = `${linkPath}.${randomUUID()}.tmp`;
  try {
    await symlink(path, temporary);
    await rename(temporary, linkPath);
  } finally {
    await rm(temporary, { force: true });
  }
}
