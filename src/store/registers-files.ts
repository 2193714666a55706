import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Register, Registers } from '../engine/ports/stores.ts';
import { linkNew, numberedName, removeLeftovers } from '../kit/files/numbered.ts';
import { hasCode, readRegular } from '../kit/files/read.ts';

/**
 * Registers as flat files `<name>@<n>`. Each number is created by link(2) and never changes or disappears. So a late writer always finds its
 * number taken, writing needs no listing of the folder, and a few lookups find the newest number.
 */
export function openFileRegisters(folder: string): Registers {
  const known = new Map<string, Register>();
  const starts = new Map<string, string>();
  const startOf = (name: string) => {
    const known = starts.get(name);
    if (known !== undefined) return known;
    const start = numberedName(name, '');
    starts.set(name, start);
    return start;
  };
  const pathOf = (name: string, n: number) => join(folder, `${startOf(name)}${n}`);
  const isPut = (name: string, n: number) => lstatSync(pathOf(name, n), { throwIfNoEntry: false }) !== undefined;
  const read = (name: string, n: number): Register => ({ n, value: valueIn(readRegular(pathOf(name, n))) });

  const learn = (name: string, register: Register): Register => {
    if (register.value !== undefined) known.set(name, register);
    return register;
  };

  return {
    async get(name) {
      const n = newestNumber((number) => isPut(name, number));
      return n === 0 ? null : read(name, n);
    },

    async getMany(names) {
      const newest = newestNumbers(folder);
      const found = new Map<string, Register>();
      for (const name of names) {
        const n = newest.get(startOf(name));
        const earlier = known.get(name);
        if (n === undefined) known.delete(name);
        else found.set(name, earlier?.n === n ? earlier : learn(name, read(name, n)));
      }
      return found;
    },

    async put(name, n, value) {
      if (isPut(name, n) || (n > 1 && !isPut(name, n - 1))) return 'taken';
      return (await linkNew(pathOf(name, n), `${JSON.stringify(value)}\n`, 'before it is said')) ? 'put' : 'taken';
    },
  };
}

/** Numbers have no gaps, so it doubles its steps until a number is missing and then searches by halves. 0 if there is none. */
function newestNumber(isPut: (n: number) => boolean): number {
  let there = 0;
  let missing = 1;
  while (isPut(missing)) {
    there = missing;
    missing *= 2;
  }
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (isPut(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

/** The newest number of every register, by the part of its file name before `@`. */
function newestNumbers(folder: string): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  const entries = entriesOf(folder);
  for (const entry of entries) {
    const end = entry.lastIndexOf('@') + 1;
    const number = entry.slice(end);
    if (end === 0 || !/^[1-9]\d*$/.test(number)) continue;
    const start = entry.slice(0, end);
    newest.set(start, Math.max(newest.get(start) ?? 0, Number(number)));
  }
  removeLeftovers(folder, entries, (start, n) => n <= (newest.get(start) ?? 0));
  return newest;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Undefined if it could not be read or is not a value that a register wrote. */
function valueIn(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
