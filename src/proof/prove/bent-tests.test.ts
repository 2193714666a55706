import { describe, expect, it } from 'vitest';
import type { GateLife } from '../../journal/words/proof.ts';
import { bentTests, reasonFor } from './prove-in.ts';

const life = (state: GateLife['state'], bent: string[]): GateLife => ({ command: 'npm test', state, files: [], why: '', bent });

describe('a test that can no longer fail', () => {
  const changed = bentTests([life('living', ['a.test.js']), life('unknown', ['want.txt'])], { may_change: [] });

  it('holds the claim, and so does a golden file that the gate ignores', () => {
    expect(changed.map(({ path }) => path)).toEqual(['a.test.js', 'want.txt']);
    expect(reasonFor({ verdict: 'held', changed, gates: [], results: [] })).toBe(
      'Held: green, but the checks can no longer tell: a.test.js (assertions in it could fail at the start and cannot now), want.txt (the check stays green whatever this file contains)',
    );
  });

  it('holds it too if it is green only under the names that its tests have', () => {
    const named = bentTests([{ ...life('living', []), named: ['a.test.js'] }], { may_change: [] });
    expect(named).toEqual([{ path: 'a.test.js', why: expect.stringContaining('other names and lines') }]);
    expect(reasonFor({ verdict: 'held', changed: named, gates: [], results: [] })).toContain('Held: green, but the checks can no longer tell: a.test.js');
  });

  it('does not hold it if a person has allowed the change beforehand', () => {
    expect(bentTests([life('living', ['a.test.js'])], { may_change: ['*.test.js'] })).toEqual([]);
  });
});
