import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lstatOf, movePath } from './pinned-path.ts';

/** Where what was planted is kept for a person to look at, and what there is to tell of it. */
export interface Planted {
  moveAway(path: string): Promise<void>;
  tell(path: string): void;
  /** Each once. */
  told(): readonly string[];
}

export function openPlanted(folder: string): Planted {
  const paths = new Set<string>();
  return {
    async moveAway(path) {
      if ((await lstatOf(path)) === null) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await movePath(path, join(folder, `${basename(dirname(path))}-${basename(path)}-${randomUUID().slice(0, 8)}`));
    },
    tell: (path) => void paths.add(path),
    told() {
      const all = [...paths].sort();
      paths.clear();
      return all;
    },
  };
}
