import type { Watcher } from './contracts.ts';

/** Two watchers as one. The later one is closed first. */
export function together(one: Watcher, other: Watcher): Watcher {
  return (tell, state) => {
    const [first, second] = [one(tell, state), other(tell, state)];
    return {
      async [Symbol.asyncDispose]() {
        await second[Symbol.asyncDispose]();
        await first[Symbol.asyncDispose]();
      },
    };
  };
}
