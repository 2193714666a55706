import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slug } from './text.ts';

describe('slug', () => {
  it.each([
    ['make test', 'make_test'],
    ['./mvnw clean install -T 2C', 'mvnw_clean_install_T_2C'],
    ['npm run test:unit', 'npm_run_test_unit'],
    ['___test___', 'test'],
    ['@#$test@#$', 'test'],
    ['this_is_a_very_long_command_that_should_be_truncated_because_it_exceeds_fifty', 'this_is_a_very_long_command_that_should_be_truncat'],
    ['größe', 'gr_e'],
    ['../../etc/passwd', 'etc_passwd'],
    ['x'.repeat(500), 'x'.repeat(50)],
    ['🙂🚀', 'guardrail'],
    ['', 'guardrail'],
    ['///', 'guardrail'],
  ])('of %j is %j', (text, expected) => {
    expect(slug(text)).toBe(expected);
  });

  it('uses the given fallback for a text without letters', () => {
    expect(slug('🙂', 'task')).toBe('task');
  });

  it('is always a safe, short name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(slug(text)).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_]{0,49}$/);
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
