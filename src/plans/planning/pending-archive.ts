import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import { ARCHIVE } from './plan-folder.ts';

const Count = z.number().int().nonnegative();
const PendingArchive = z.strictObject({
  /** In `ralph-archive/`, and never outside of it. */
  folder: z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/),
  label: z.string(),
  project: z.string(),
  done: Count,
  total: Count,
});

/** An archive in progress. It is written before the folder gets its final name, and removed at the end. After a crash the next archive continues from it. */
export type PendingArchive = Readonly<z.infer<typeof PendingArchive>>;

const fileIn = (project: string) => join(project, ARCHIVE, '.pending.json');

/** Null: there is none, or it is not valid. */
export function readPending(project: string): PendingArchive | null {
  const text = readRegular(fileIn(project));
  if (text === null) return null;
  try {
    return PendingArchive.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export async function writePending(project: string, pending: PendingArchive): Promise<void> {
  await writeAtomic(fileIn(project), `${JSON.stringify(pending)}\n`, 0o644);
}

export async function forgetPending(project: string): Promise<void> {
  await rm(fileIn(project), { force: true });
}
