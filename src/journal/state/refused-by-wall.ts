/** What a wall did not let through: how often, and the first of it. */
export interface RefusedByWall {
  readonly count: number;
  readonly first: readonly { readonly what: 'network' | 'write' | 'planted'; readonly target: string }[];
}

export const nothingRefused: RefusedByWall = { count: 0, first: [] };
