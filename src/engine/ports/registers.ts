/** Small values shared by runs, each changed by compare-and-set. The number is the fencing number: who holds an old one loses. */
export interface Registers {
  /** Null when it was never put. */
  get(name: string): Promise<Register | null>;
  /** Puts the value as number n. `taken`: somebody else put that number first; read again before you try again. */
  put(name: string, n: number, value: unknown): Promise<'put' | 'taken'>;
}

export interface Register {
  readonly n: number;
  readonly value: unknown;
}
