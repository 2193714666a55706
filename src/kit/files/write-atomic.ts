import { open, rename, rm } from 'node:fs/promises';

let count = 0;

/** Replaces a file whole: a reader sees the old or the new content, never half of one. */
export async function writeAtomic(path: string, content: string, mode = 0o600): Promise<void> {
  count += 1;
  const temporary = `${path}.${process.pid}.${count}.tmp`;
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
