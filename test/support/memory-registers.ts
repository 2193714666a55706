import type { Register, Registers } from '../../src/engine/ports/stores.ts';

/** Registers in memory; honour the contract (test/contracts/registers.ts). What they hold may be made unreadable. */
export function memoryRegisters(): Registers & { readonly spoil: (name: string) => void } {
  const all = new Map<string, Register>();
  const get = (name: string): Register | null => structuredClone(all.get(name) ?? null);
  return {
    get: async (name) => get(name),
    async getMany(names) {
      return new Map(
        names.flatMap((name) => {
          const register = get(name);
          return register === null ? [] : [[name, register]];
        }),
      );
    },
    async put(name, n, value) {
      if ((all.get(name)?.n ?? 0) !== n - 1) return 'taken';
      all.set(name, { n, value: structuredClone(value) });
      return 'put';
    },
    spoil(name) {
      const found = all.get(name);
      if (found) all.set(name, { n: found.n, value: undefined });
    },
  };
}
