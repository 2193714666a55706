import type { Registers } from '../engine/ports/registers.ts';
import { latestNumbered, putNumbered } from '../kit/files/numbered.ts';

/** Registers as flat files `<name>@<n>`: link(2) decides who was first, so there is no lock to steal. */
export function openFileRegisters(folder: string): Registers {
  return {
    async get(name) {
      const latest = await latestNumbered(folder, name);
      return latest ? { n: latest.n, value: JSON.parse(latest.content) } : null;
    },
    put: (name, n, value) => putNumbered(folder, name, n, `${JSON.stringify(value)}\n`),
  };
}
