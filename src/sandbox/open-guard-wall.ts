import type { WallPort } from '../engine/ports/wall.ts';

/** No wall: whatever runs can do what its user can. */
export function openGuardWall(): WallPort {
  return { mode: 'guard', enclose: async ({ file, args, cwd, env }) => ({ file, args, cwd, env, askDepth: 0, leave: async () => undefined }) };
}
