import { describe, expect, it } from 'vitest';
import type { Registers } from '../../src/engine/ports/registers.ts';

/** What every set of registers must do; `open` gives a second view of the same ones each time it is called. */
export function honoursTheRegistersContract(name: string, fresh: () => Promise<() => Promise<Registers>>): void {
  describe(`${name} honour the registers' contract`, () => {
    it('have nothing under a name that was never put', async () => {
      const registers = await (await fresh())();
      expect(await registers.get('task/7')).toBeNull();
    });

    it('give back the newest value with its number', async () => {
      const registers = await (await fresh())();
      await registers.put('a', 1, { holder: 'x' });
      await registers.put('a', 2, { holder: 'y' });
      expect(await registers.get('a')).toEqual({ n: 2, value: { holder: 'y' } });
    });

    it('let exactly one of many writers have a number', async () => {
      const open = await fresh();
      const answers = await Promise.all(Array.from({ length: 16 }, async (_, writer) => (await open()).put('merge/main', 1, { writer })));
      expect(answers.filter((answer) => answer === 'put')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(15);
    });

    it('refuse a number that is already past', async () => {
      const registers = await (await fresh())();
      await registers.put('a', 1, 'first');
      await registers.put('a', 2, 'second');
      expect(await registers.put('a', 1, 'late')).toBe('taken');
      expect(await registers.get('a')).toEqual({ n: 2, value: 'second' });
    });

    it('keep names apart that look alike in a file system', async () => {
      const registers = await (await fresh())();
      const names = ['a/b', 'a%2Fb', 'a@1', 'A/b', '../a', 'ä', ' '];
      for (const name of names) await registers.put(name, 1, name);
      for (const name of names) expect((await registers.get(name))?.value).toBe(name);
    });
  });
}
