import { describe, expect, it } from 'vitest';
import { type HostPattern, isLocalAddress, parseHostPattern, parseTarget, patternFor } from './match-host.ts';

const patterns = (...texts: readonly string[]) => texts.map((text) => parseHostPattern(text)).filter((pattern): pattern is HostPattern => pattern !== null);

function passes(list: readonly string[], target: string): boolean {
  const parsed = parseTarget(target);
  return parsed !== null && patternFor(parsed, patterns(...list)) !== null;
}

describe('the allow-list', () => {
  it.each([
    [['example.org'], 'example.org:443'],
    [['example.org'], 'example.org:80'],
    [['example.org'], 'EXAMPLE.org.:443'],
    [['Example.ORG.'], 'example.org:443'],
    [['*.example.org'], 'a.example.org:443'],
    [['*.example.org'], 'a.b.example.org:443'],
    [['example.org:8443'], 'example.org:8443'],
    [['example.org:*'], 'example.org:22'],
    [['*'], 'anything.example:443'],
    [['localhost:5432'], '127.0.0.1:5432'],
    [['localhost:5432'], '[::1]:5432'],
    [['localhost:5432'], '2130706433:5432'],
    [['127.0.0.1:5432'], 'localhost:5432'],
    [['[2001:db8::1]:443'], '[2001:DB8:0::1]:443'],
    [['2001:db8::1'], '[2001:db8::1]:443'],
    [['10.0.0.7'], '10.0.0.7:443'],
  ])('%j allows %s', (list, target) => {
    expect(passes(list, target)).toBe(true);
  });
});

describe('an allow-list of hosts', () => {
  it.each([
    [[], 'example.org:443'],
    [['example.org'], 'example.org:22'],
    [['example.org'], 'evil-example.org:443'],
    [['example.org'], 'a.example.org:443'],
    [['*.example.org'], 'example.org:443'],
    [['*.example.org'], 'evilexample.org:443'],
    [['example.org:8443'], 'example.org:443'],
    [['example.org'], 'example.org@evil.example:443'],
    [['example.org'], 'user@example.org:443'],
    [['example.org'], 'evil.example#example.org:443'],
    [['example.org'], 'evil.example/example.org:443'],
    [['example.org'], 'evil.example%00.example.org:443'],
    [['*.example.org'], 'evil.example\u0000.example.org:443'],
    [['example.org'], 'example.org'],
    [['example.org'], 'example.org:0443443'],
    [['example.org'], 'example.org:0'],
    [['example.org'], 'example.org..:443'],
    [['*'], '127.0.0.1:443'],
    [['*'], 'localhost:443'],
    [['*'], 'x.localhost:443'],
    [['*'], '0x7f.1:443'],
    [['*'], '2130706433:443'],
    [['*'], '017700000001:443'],
    [['*'], '[::ffff:127.0.0.1]:443'],
    [['*'], '[::1]:443'],
    [['*'], '0.0.0.0:443'],
    [['*'], '169.254.169.254:80'],
    [['*.0.0.1'], '127.0.0.1:443'],
    [['localhost:5432'], 'localhost:5433'],
    [['localhost:5432'], '127.0.0.2:5432'],
    [['10.0.0.7'], '10.0.0.70:443'],
  ])('%j refuses %j', (list, target) => {
    expect(passes(list, target)).toBe(false);
  });

  it.each([
    '',
    'https://example.org',
    'a b',
    'user@example.org',
    'example.org/path',
    '*example.org',
    'a.*.org',
    'example.org:http',
    'example.org:99999',
    '*.10.0.0.7',
  ])('does not accept %j as a pattern', (text) => {
    expect(parseHostPattern(text)).toBeNull();
  });
});

describe('isLocalAddress', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '169.254.1.1', '::', 'fe80::1'])('is true for %s', (address) => {
    expect(isLocalAddress(address)).toBe(true);
  });

  it.each(['10.0.0.1', '192.168.1.1', '8.8.8.8', '2001:db8::1'])('is false for %s', (address) => {
    expect(isLocalAddress(address)).toBe(false);
  });
});
