/** What the sandbox refused: how often, and the first refusals. */
export interface SandboxRefusals {
  readonly count: number;
  readonly first: readonly { readonly what: 'network' | 'write' | 'planted' | 'history'; readonly target: string }[];
}

/** What an agent made of files that the operator changed meanwhile. */
export interface KeptFiles {
  readonly ref: string;
  readonly paths: readonly string[];
  readonly atMs: number;
}

export const nothingRefused: SandboxRefusals = { count: 0, first: [] };
