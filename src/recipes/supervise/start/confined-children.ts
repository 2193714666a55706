import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Children } from '../../../engine/ports/children.ts';
import type { WallSpec } from '../../../settings/schema/wall.ts';

/**
 * Children of an agent behind a wall are behind the same wall, but each may write where it works: so none works where its parent could not write.
 * Otherwise an agent would climb over its wall by asking for a child elsewhere.
 */
export function confinedChildren(children: Children, { mode, writable }: WallSpec, cwd: string, top: string): Children {
  if (mode === 'guard') return children;
  return {
    ...children,
    async start(child, signal) {
      const place = await realpath(resolve(cwd, child.cwd ?? '.')).catch(() => null);
      const roots = await Promise.all([top, ...writable].map((root) => realpath(root).catch(() => root)));
      if (place !== null && roots.some((root) => place === root || place.startsWith(`${root}${sep}`))) return await children.start(child, signal);
      return { kind: 'refused', why: `its directory ${child.cwd ?? cwd} is none that an agent behind this sandbox may write` };
    },
  };
}
