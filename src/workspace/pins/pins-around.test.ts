import { describe, expect, it } from 'vitest';
import type { WallPort, WallRefusal } from '../../engine/ports/wall.ts';
import { pinsAround } from './pins-around.ts';

const call = { who: 'agent', file: 'agent', args: ['-p'], cwd: '/project', env: { A: '1' } } as const;

function pinsThatMend(...times: readonly (readonly string[])[]) {
  const left = [...times];
  return { mend: async () => left.shift() ?? [] };
}

describe('pins around a wall', () => {
  const other = (leave: () => Promise<void>): WallPort => ({ mode: 'docker', enclose: async (asked) => ({ ...asked, file: 'sbx', askDepth: 2, leave }) });

  it('all is as that wall has it, and put back after it was left', async () => {
    const order: string[] = [];
    const wall = pinsAround(
      other(async () => void order.push('left')),
      { mend: async () => order.splice(order.length, 0, 'mended') },
      () => undefined,
    );
    expect(wall.mode).toBe('docker');
    const enclosed = await wall.enclose(call);
    expect(enclosed).toMatchObject({ file: 'sbx', askDepth: 2 });
    await enclosed.leave();
    expect(order).toEqual(['left', 'mended']);
  });

  it('it is put back although that wall could not be left', async () => {
    const refused: WallRefusal[] = [];
    const broken = other(() => Promise.reject(new Error('gone')));
    const enclosed = await pinsAround(broken, pinsThatMend(['hooks']), (refusal) => refused.push(refusal)).enclose(call);
    await expect(enclosed.leave()).rejects.toThrow('gone');
    expect(refused).toHaveLength(1);
  });
});
