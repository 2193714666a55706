import { expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { alterSnapshots, snapshotsOf } from './snapshots.ts';

it('every altered snapshot is a text that is assembled when it is read', () => {
  const text = 'exports[`says \\`hi\\` 1`] = `"hi"`;\n\nexports[`two 1`] = `\n{\n  "a": 1,\n}\n`;\n';
  const plant = alterSnapshots({ path: 'a.snap', text, token: freshTokens() });
  const stored: Record<string, string> = {};
  new Function('exports', plant?.text ?? '')(stored);
  expect(stored).toEqual({ 'says `hi` 1': plant?.tokens[0], 'two 1': plant?.tokens[0] });
  expect(plant?.text).not.toContain(plant?.tokens[0]);
});

it('a file without snapshots is left alone', () => {
  expect(alterSnapshots({ path: 'a.snap', text: '// Jest Snapshot v1\n', token: freshTokens() })).toBeNull();
});

it('snapshots are in a folder beside the test', () => {
  expect(['a.test.js', 'src/b.test.ts'].map(snapshotsOf)).toEqual(['__snapshots__/a.test.js.snap', 'src/__snapshots__/b.test.ts.snap']);
});
