import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainId, taskSlug } from './task-slug.ts';

describe('the slug of a task', () => {
  it.each(['T-001-01', 'S-001-R', '7', '1.2.3', 'login_page', '_x', 'a'.repeat(80)])('is the id itself where that is plain: %s', (id) => {
    expect(taskSlug(id)).toBe(id);
  });

  it('keeps the readable part of any other id, and adds a digest', () => {
    expect(taskSlug('Build the login/page!')).toMatch(/^Build-the-login-page--[0-9a-f]{16}$/);
    expect(taskSlug('日本語')).toMatch(/^task--[0-9a-f]{16}$/);
  });

  it.each([
    '',
    '.',
    '..',
    '.a',
    'a.',
    'a..b',
    'a.lock',
    'A.LOCK',
    '-a',
    'a-',
    'a--b',
    'a/b',
    'a b',
    '@',
    'a~1',
    'a^',
    'a:b',
    'a\\b',
    'HEAD\n',
    'x'.repeat(300),
  ])('is safe for %j, which is not plain', (id) => {
    expect(isPlainId(id)).toBe(false);
    expect(taskSlug(id)).toMatch(/^[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*--[0-9a-f]{16}$/);
    expect(taskSlug(id).length).toBeLessThanOrEqual(60);
  });

  it('differs for different ids, also where one looks like the slug of the other', () => {
    const other = taskSlug('a b');
    expect(isPlainId(other)).toBe(false);
    expect(new Set(['a b', 'a-b', 'a  b', 'a/b', 'A b', other].map(taskSlug)).size).toBe(6);
    const id = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom('a', 'A', '-', '.', ' ', '/', '_') }));
    fc.assert(
      fc.property(id, id, (a, b) => a === b || taskSlug(a) !== taskSlug(b)),
      { seed: 6, numRuns: 2000 },
    );
  });
});
