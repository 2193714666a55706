import { describe, expect, it } from 'vitest';
import { openScope } from '../kit/async/scope.ts';
import { startWatchers, type Watcher } from './contracts.ts';

const tell = async () => true;
const state = () => {
  throw new Error('nobody asks');
};

/** Records when it starts and when it ends. */
const noting =
  (name: string, said: string[]): Watcher =>
  () => {
    said.push(`${name} starts`);
    return {
      async [Symbol.asyncDispose]() {
        said.push(`${name} ends`);
      },
    };
  };

describe('watchers', () => {
  it('start in order and end in reverse order', async () => {
    const said: string[] = [];
    const scope = openScope();
    startWatchers([noting('a', said), noting('b', said)], scope, tell, state);
    await scope[Symbol.asyncDispose]();
    expect(said).toEqual(['a starts', 'b starts', 'b ends', 'a ends']);
  });

  it('end even when one of them fails to start, so that none keeps the process alive', async () => {
    const said: string[] = [];
    const broken: Watcher = () => {
      throw new Error('no watch today');
    };
    const scope = openScope();
    expect(() => startWatchers([noting('a', said), broken], scope, tell, state)).toThrow('no watch today');
    await scope[Symbol.asyncDispose]();
    expect(said).toEqual(['a starts', 'a ends']);
  });
});
