import { describe, expect, it } from 'vitest';
import type { Registers } from '../../src/engine/ports/stores.ts';

/** Registers that several views may have open at once. */
export interface RegistersAtHand {
  /** Another view of the same registers, as in another process. */
  open(): Promise<Registers>;
  /** Makes the newest value of that name unreadable. */
  spoil(name: string): Promise<void>;
}

/** The contract of registers. */
export function honoursTheRegistersContract(name: string, fresh: () => Promise<RegistersAtHand>): void {
  const freshOnes = async () => await (await fresh()).open();

  describe(`${name} honour the registers' contract`, () => {
    it('have no value for an unused name', async () => {
      const registers = await freshOnes();
      expect(await registers.get('task/7')).toBeNull();
      expect(await registers.getMany(['task/7', 'task/8'])).toEqual(new Map());
    });

    it('return the newest value with its number', async () => {
      const registers = await freshOnes();
      await registers.put('a', 1, { holder: 'x' });
      await registers.put('a', 2, { holder: 'y' });
      expect(await registers.get('a')).toEqual({ n: 2, value: { holder: 'y' } });
    });

    it('keep any JSON value, also null', async () => {
      const registers = await freshOnes();
      const values = [null, 0, '', false, [], { a: [1, { b: 'ä\n' }] }];
      for (const [index, value] of values.entries()) expect(await registers.put('a', index + 1, value)).toBe('put');
      expect(await registers.get('a')).toEqual({ n: values.length, value: values.at(-1) });
      expect(await registers.put('b', 1, null)).toBe('put');
      expect(await registers.get('b')).toEqual({ n: 1, value: null });
    });

    it('return many at once like one by one, and nothing for unused names', async () => {
      const registers = await freshOnes();
      const names = Array.from({ length: 300 }, (_, number) => `task/plan.yaml/T-${number}`);
      for (const [number, task] of names.entries()) for (let n = 1; n <= number % 4; n += 1) await registers.put(task, n, { number, n });
      const found = await registers.getMany([...names, 'never']);
      expect(found.size).toBe(225);
      for (const [number, task] of names.entries()) {
        expect(found.get(task) ?? null).toEqual(await registers.get(task));
        expect(found.get(task)?.n ?? 0).toBe(number % 4);
      }
    });

    it('show each view the later writes of another', async () => {
      const { open } = await fresh();
      const [one, other] = [await open(), await open()];
      await one.put('a', 1, 'first');
      expect((await other.getMany(['a'])).get('a')).toEqual({ n: 1, value: 'first' });
      await one.put('a', 2, 'second');
      expect((await other.getMany(['a'])).get('a')).toEqual({ n: 2, value: 'second' });
      expect(await other.get('a')).toEqual({ n: 2, value: 'second' });
    });

    it('let exactly one of many writers have a number', async () => {
      const { open } = await fresh();
      const answers = await Promise.all(Array.from({ length: 16 }, async (_, writer) => (await open()).put('merge/main', 1, { writer })));
      expect(answers.filter((answer) => answer === 'put')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(15);
    });

    it('refuse every old number', async () => {
      const registers = await freshOnes();
      for (let n = 1; n <= 9; n += 1) await registers.put('a', n, n);
      for (let n = 1; n <= 9; n += 1) expect(await registers.put('a', n, 'late')).toBe('taken');
      expect(await registers.get('a')).toEqual({ n: 9, value: 9 });
    });

    it('refuse a number that is too high', async () => {
      const registers = await freshOnes();
      expect(await registers.put('a', 2, 'early')).toBe('taken');
      await registers.put('a', 1, 'first');
      expect(await registers.put('a', 3, 'early')).toBe('taken');
      expect(await registers.get('a')).toEqual({ n: 1, value: 'first' });
    });

    it('find the newest of any number', async () => {
      const registers = await freshOnes();
      for (let n = 1; n <= 40; n += 1) {
        expect(await registers.put('a', n, { n })).toBe('put');
        expect(await registers.get('a')).toEqual({ n, value: { n } });
      }
    });

    it('confirm a write exactly if it counts: the sum of many concurrent additions is correct', async () => {
      const { open } = await fresh();
      const adders = Array.from({ length: 8 }, async () => {
        const registers = await open();
        for (let added = 0; added < 12; ) {
          const found = await registers.get('sum');
          if ((await registers.put('sum', (found?.n ?? 0) + 1, ((found?.value as number | undefined) ?? 0) + 1)) === 'put') added += 1;
        }
      });
      await Promise.all(adders);
      expect(await (await open()).get('sum')).toEqual({ n: 96, value: 96 });
    });

    it('return a number without a value for an unreadable one, and accept the next number after it', async () => {
      const { open, spoil } = await fresh();
      const registers = await open();
      await registers.put('a', 1, 'whole');
      await registers.put('a', 2, 'spoilt');
      await registers.put('b', 1, 'whole');
      await spoil('a');
      expect(await registers.get('a')).toEqual({ n: 2, value: undefined });
      expect(await (await open()).getMany(['a', 'b'])).toEqual(
        new Map([
          ['a', { n: 2, value: undefined }],
          ['b', { n: 1, value: 'whole' }],
        ]),
      );
      expect(await registers.put('a', 3, 'again')).toBe('put');
      expect(await registers.get('a')).toEqual({ n: 3, value: 'again' });
    });

    it('distinguish names that look alike in a file system', async () => {
      const registers = await freshOnes();
      const names = ['a/b', 'a%2Fb', 'a@1', 'A/b', '../a', 'ä', ' ', 'a', 'a@', 'long/'.repeat(60), `${'long/'.repeat(60)}er`];
      for (const name of names) await registers.put(name, 1, name);
      for (const name of names) expect((await registers.get(name))?.value).toBe(name);
      expect([...(await registers.getMany(names))].map(([name, { value }]) => name === value)).toEqual(names.map(() => true));
    });
  });
}
