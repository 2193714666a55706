import { expect, it } from 'vitest';
import { whyHidden } from './why-hidden.ts';

it.each([
  [
    'a database that is not there',
    '> test\nError: connect ECONNREFUSED 127.0.0.1:5432\n',
    'it needs what is not there, "Error: connect ECONNREFUSED 127.0.0.1:5432": ',
  ],
  ['a network that is not there', 'pip: Temporary failure in name resolution', 'it needs what is not there, "pip: Temporary failure in name resolution": '],
  ['psql', '\u001b[31mpsql: error: could not connect to server\u001b[0m', 'it needs what is not there, "psql: error: could not connect to server": '],
  ['silence', ' \n\n', 'it prints nothing: let it print which test fails'],
  ['a base that does not compile', 'SyntaxError: Unexpected end of input', 'it may be red before its tests run: Ralph looks again at each claim'],
])('a gate that is red because of %s says what to do', (_what, output, hint) => {
  expect(whyHidden({ output, isGreenAlone: false })).toContain(hint);
});

it('a gate that is green without planted failures and hides them says what to do', () => {
  expect(whyHidden({ output: '1 failed', isGreenAlone: true })).toBe('let it print the output of each test that fails');
});
