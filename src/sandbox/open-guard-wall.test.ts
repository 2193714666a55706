import { describe, expect, it } from 'vitest';
import type { WallPort, WallRefusal } from '../engine/ports/wall.ts';
import { openGuardWall, pinsAround } from './open-guard-wall.ts';

const call = { who: 'agent', file: 'agent', args: ['-p'], cwd: '/project', env: { A: '1' } } as const;

function pinsThatMend(...times: readonly (readonly string[])[]) {
  const left = [...times];
  return { mend: async () => left.shift() ?? [] };
}

describe('where there is no wall', () => {
  it('a command runs as it is', async () => {
    const { leave, ...enclosed } = await openGuardWall({ pins: null, onRefused: () => undefined }).enclose(call);
    expect(enclosed).toEqual({ file: 'agent', args: ['-p'], cwd: '/project', env: { A: '1' }, askDepth: 0 });
    await expect(leave()).resolves.toBeUndefined();
  });

  it('what it planted is put back when it has ended, and told', async () => {
    const refused: WallRefusal[] = [];
    const wall = openGuardWall({ pins: pinsThatMend(['/project/.git/config']), onRefused: (refusal) => refused.push(refusal) });
    const enclosed = await wall.enclose(call);
    expect(refused).toEqual([]);
    await enclosed.leave();
    expect(refused).toEqual([{ what: 'planted', target: '/project/.git/config' }]);
  });
});

describe('around another wall', () => {
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
