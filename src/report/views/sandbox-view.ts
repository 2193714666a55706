import type { WallSpec } from '../../settings/schema/wall.ts';
import type { RefusedByWall } from '../../journal/state/refused-by-wall.ts';

/** The wall of a run in the words of run.json, `--json` and reports. */
export interface SandboxView {
  readonly mode: WallSpec['mode'];
  readonly forced: boolean;
  /** Why it is no stronger one. */
  readonly reason: string | null;
  readonly gates: WallSpec['gates'];
  readonly allowed_hosts: readonly string[];
  readonly refused_count: number;
  /** The first of them. */
  readonly refused: RefusedByWall['first'];
}

export function sandboxView({ mode, forced, reason, gates, hosts }: WallSpec, { count, first }: RefusedByWall): SandboxView {
  return { mode, forced, reason, gates, allowed_hosts: hosts, refused_count: count, refused: first };
}
