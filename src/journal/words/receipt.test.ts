import { describe, expect, it } from 'vitest';
import { type Receipt, receiptIn, Statement, statementOf } from './receipt.ts';

const receipt: Receipt = {
  version: 1,
  run: 'r1',
  ralph: '1.0.0',
  task: 'Do it.',
  commit: 'c0ffee',
  tree: 'abc',
  where: 'clean',
  checks: [{ command: 'make test', exit_code: 0, duration_ms: 1, output_sha256: '', flaky: false, was_red: true, tests: 3 }],
  agent: 'claude',
  model: null,
  cost_usd: null,
  iterations: 1,
  written_at: 0,
};

describe('the statement of a receipt', () => {
  it('is an in-toto statement about the commit and its tree', () => {
    expect(statementOf(receipt)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ digest: { gitCommit: 'c0ffee' } }, { digest: { gitTree: 'abc' } }],
      predicateType: 'urn:ralph-loop:receipt:v1',
      predicate: receipt,
    });
  });

  it('is about the tree alone where nothing was committed, and does not exist without a tree', () => {
    expect(statementOf({ ...receipt, commit: null })?.subject).toEqual([{ digest: { gitTree: 'abc' } }]);
    expect(statementOf({ ...receipt, tree: null })).toBeNull();
  });

  it('is read back without the fields of a later in-toto version', () => {
    expect(receiptIn({ ...statementOf(receipt), more: 1 })).toEqual(receipt);
    expect(Statement.parse({ ...statementOf(receipt), more: 1 })).toEqual(statementOf(receipt));
  });

  it.each([
    ['nothing', null, /^its statement has an invalid format$/],
    ['another type', { ...statementOf(receipt), _type: 'x' }, /^its statement has an invalid _type/],
    ['a predicate of somebody else', { ...statementOf(receipt), predicateType: 'x' }, /^its statement has an invalid predicateType/],
    ['half a receipt', { ...statementOf(receipt), predicate: { version: 1 } }, /^its statement has an invalid predicate\.\w+$/],
    ['another subject', { ...statementOf(receipt), subject: [{ digest: { gitTree: 'def' } }] }, /^its subject does not name the tree/],
    ['no subject', { ...statementOf(receipt), subject: [] }, /^its subject does not name the tree/],
    ['neither subject nor tree', { ...statementOf(receipt), subject: [{ digest: {} }], predicate: { ...receipt, tree: null } }, /does not name the tree/],
  ])('that has %s is refused in one line', (_, json, problem) => {
    expect(receiptIn(json)).toMatch(problem);
  });
});
