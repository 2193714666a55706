import { expect, it } from 'vitest';
import { loopSettings } from '../../../test/support/loop-spec.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { protectedPaths } from '../../settings/schema/recipe-facts.ts';
import { isAboutProtected, protectedWords } from './acceptance.ts';

it('the protected paths are those of the settings and of the loop, each once', () => {
  const settings = { ...loopSettings({ protect: ['b', 'a'] }), protect: ['a', 'c'] };
  expect(protectedPaths(settings)).toEqual(['a', 'c', 'b']);
  expect(protectedPaths(testSettings({ protect: ['a'] }))).toEqual(['a']);
});

it('the feedback about protected paths lists some of many paths, and how many there are', () => {
  const words = protectedWords(Array.from({ length: 22 }, (_, at) => `t${at}`));
  expect(words).toContain('t19 and 2 more.');
  expect(isAboutProtected(words)).toBe(true);
  expect(isAboutProtected('make test is red')).toBe(false);
});
