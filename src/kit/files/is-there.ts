import { lstat } from 'node:fs/promises';

/** Whether anything has that name, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
