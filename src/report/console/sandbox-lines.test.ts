import { describe, expect, it } from 'vitest';
import { isKnownPing, refusedTexts } from './sandbox-lines.ts';

const network = (target: string) => ({ what: 'network', target }) as const;

describe('what the sandbox refused', () => {
  it('is counted in the summary with its hosts and how to allow them', () => {
    expect(refusedTexts({ count: 2, first: [network('a.example:443'), { what: 'write', target: '/etc/x' }] })).toEqual([
      'by the sandbox: network a.example:443; write /etc/x',
      'allow a host with --allow-host, or sandbox.allowHosts in the settings',
    ]);
    expect(refusedTexts({ count: 1, first: [{ what: 'write', target: '/etc/x' }] })).toEqual(['by the sandbox: write /etc/x']);
  });

  it('is not told if it only was a report of use or a look for updates', () => {
    expect(refusedTexts({ count: 2, first: [network('statsig.anthropic.com:443'), network('o1.ingest.us.sentry.io:443')] })).toEqual([]);
    expect(refusedTexts({ count: 3, first: [network('statsig.anthropic.com:443'), network('b.example:80')] })).toEqual([
      'by the sandbox: network b.example:80; and 1 more',
      'allow a host with --allow-host, or sandbox.allowHosts in the settings',
    ]);
    expect(refusedTexts({ count: 0, first: [] })).toEqual([]);
  });

  it('is told once, however often it was refused, with the number of those that are not shown', () => {
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => network(`${name}.example:1`));
    expect(refusedTexts({ count: 4, first: [hosts[0], hosts[1], hosts[0], hosts[1]].flatMap((host) => host ?? []) })[0]).toBe(
      'by the sandbox: network a.example:1; network b.example:1',
    );
    expect(refusedTexts({ count: 9, first: hosts })[0]).toMatch(/e\.example:1; and 4 more$/);
  });

  it.each(['registry.npmjs.org:443', 'pypi.org:443', 'api.anthropic.com:443', 'notsentry.io:443', 'sentry.io.evil.example:443', 'telemetry.evil.example:443'])(
    'is told for %s',
    (target) => {
      expect(isKnownPing(target)).toBe(false);
    },
  );
});
