import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditEntry } from '../../journal/words/task-register.ts';

/** What happened to a task. Time and worktree are filled in. */
export type AuditChange = Omit<AuditEntry, 'timestamp' | 'worktree'> & Partial<Pick<AuditEntry, 'timestamp' | 'worktree'>>;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const logsOf = (home: string) => join(home, 'logs');

const auditFile = (home: string): string => join(logsOf(home), 'task-audit.jsonl');

/** Writes `logs/task-audit.jsonl` at the plan's home, each line by one append, so that many may write at once. It never throws: nothing depends on this log. */
export function openTaskAudit(home: string, worktree: string): (word: AuditChange) => Promise<void> {
  return async (word) => {
    const entry: AuditEntry = { ...word, timestamp: word.timestamp || new Date().toISOString(), worktree: word.worktree || worktree };
    await append(home, `${JSON.stringify(entry)}\n`).catch(() => undefined);
  };
}

/** It never writes through a link, and never waits for a pipe. */
async function append(home: string, line: string): Promise<void> {
  await mkdir(logsOf(home), { recursive: true });
  const handle = await open(auditFile(home), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    if ((await handle.stat()).isFile()) await handle.write(line);
  } finally {
    await handle.close();
  }
}

/** Older entries are too old for a terminal. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The last `count` entries, oldest first. Foreign lines are left out. */
export async function readTaskAudit(home: string, count: number): Promise<readonly AuditEntry[]> {
  const lines = (await endOf(auditFile(home))).split('\n');
  const entries: AuditEntry[] = [];
  for (let at = lines.length - 1; at >= 0 && entries.length < count; at -= 1) {
    const entry = entryIn(lines[at] ?? '');
    if (entry !== null) entries.push(entry);
  }
  return entries.reverse();
}

function entryIn(line: string): AuditEntry | null {
  try {
    return AuditEntry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function endOf(path: string): Promise<string> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return '';
  try {
    const stats = await handle.stat();
    const length = stats.isFile() ? Math.min(stats.size, MOST_BYTES) : 0;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, stats.size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
