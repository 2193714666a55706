/** Which bus somebody wants, as they said it; null is what they left open. */
export interface BusWish {
  /** A file, which wins over everything. */
  readonly bus: string | null;
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
  /** The bus of the project instead of the task's. */
  readonly projectBus: boolean;
}

/** Where it was wished. */
export interface BusPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A bus, and how it was come by. */
export interface FoundBus {
  readonly path: string;
  readonly by: 'name' | 'environment' | 'flags' | 'folder';
}
