import { describe, expect, it } from 'vitest';
import { seatbeltProfile } from './seatbelt-profile.ts';

describe('the profile for macOS, which was never run', () => {
  const profile = seatbeltProfile(
    [
      { path: '/Users/u/.ssh/project', as: 'writable' },
      { path: '/Users/u/.ssh', as: 'hidden', isFolder: true },
      { path: '/Users/u/a "b"', as: 'read-only' },
      { path: '/Users/u', as: 'private' },
      { path: '/Users/u/.nvm', as: 'read-only' },
    ],
    { scratch: '/private/scratch', proxyPort: 4711, loopbackPorts: [8080], sockets: ['/private/door.sock'] },
  );

  it('has the most specific rule last, since the last one wins', () => {
    expect(profile.indexOf('(deny file-read* file-write* (subpath "/Users/u/.ssh"))')).toBeLessThan(profile.indexOf('(subpath "/Users/u/.ssh/project")'));
  });

  it('closes a home, and opens what is shown of it', () => {
    const lines = ['(deny file-read-data file-write* (subpath "/Users/u"))', '(allow file-read* (subpath "/Users/u/.nvm"))'].map((line) =>
      profile.indexOf(line),
    );
    expect(lines).toEqual([...lines].sort((one, other) => one - other));
    expect(lines).not.toContain(-1);
  });

  it('quotes special characters in a path', () => {
    expect(profile).toContain('(subpath "/Users/u/a \\"b\\"")');
  });

  it('allows no network access but what is named', () => {
    expect(profile.match(/allow network.*/g)).toEqual([
      'allow network-outbound (remote ip "localhost:4711"))',
      'allow network-outbound (remote ip "localhost:8080"))',
      'allow network-outbound (literal "/private/door.sock"))',
    ]);
  });
});
