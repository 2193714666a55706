import { expect, it } from 'vitest';
import { verdictOf } from './prove-in.ts';

const dead = { command: 'npm test', state: 'dead' as const, files: [], why: 'no longer ends by itself with failures planted in a.test.js' };
const proved = { verdict: 'dead' as const, changed: [], gates: [dead], results: [] };

it('verdictOf calls no gate dead that was ended because the run was stopped', () => {
  expect(verdictOf(proved, { isCutOff: true, isTooLate: false })).toEqual({ verdict: 'red', reason: 'The proof was cut off' });
  expect(verdictOf(proved, { isCutOff: false, isTooLate: false })).toMatchObject({ verdict: 'dead', reason: `Dead check: \`npm test\` ${dead.why}` });
});
