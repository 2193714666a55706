/** Small values shared by runs, each changed by compare-and-set. The number is the fencing number: who holds an old one loses. */
export interface Registers {
  /** Null when it was never put. */
  get(name: string): Promise<Register | null>;
  /** The same for many names at once, which costs about as much as one. Names that were never put are left out. */
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, Register>>;
  /** Puts the value as number n. `taken`: somebody else put that number first, or the one before it was never put; read again before you try again. */
  put(name: string, n: number, value: unknown): Promise<'put' | 'taken'>;
}

export interface Register {
  readonly n: number;
  /** Undefined when what is there cannot be read: then nobody knows who has it. */
  readonly value: unknown;
}
