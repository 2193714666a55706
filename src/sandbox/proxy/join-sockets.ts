import type { Duplex } from 'node:stream';

/** Passes bytes both ways, never faster than they are taken. Each direction ends by itself; what breaks off takes the other with it. */
export function joinSockets(one: Duplex, other: Duplex): void {
  const ways: readonly (readonly [Duplex, Duplex])[] = [
    [one, other],
    [other, one],
  ];
  for (const [from, to] of ways) {
    from.on('error', () => to.destroy());
    from.on('close', () => {
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  }
}
