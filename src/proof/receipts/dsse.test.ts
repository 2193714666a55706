import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Envelope, PAYLOAD_TYPE, type Receipt, type Statement, statementOf } from '../../journal/words/receipt.ts';
import { fingerprintOf, openEnvelope, preAuthEncoding, signedBy } from './dsse.ts';

const receipt: Receipt = {
  version: 1,
  run: 'r1',
  ralph: '1.0.0',
  task: 'Do it.',
  commit: 'c0ffee',
  tree: 'abc',
  where: 'clean',
  checks: [],
  agent: 'claude',
  model: null,
  cost_usd: null,
  iterations: 1,
  written_at: 0,
};
const statement = statementOf(receipt) as Statement;
const mine = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const trusted = [{ key: mine.publicKey, from: 'mine.pub' }];
const envelope = signedBy(mine.privateKey, statement);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('the bytes that a signature covers', () => {
  it('follow the DSSE specification', () => {
    expect(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  it('count bytes, not letters', () => {
    expect(preAuthEncoding('ä', Buffer.from('€')).toString()).toBe('DSSEv1 2 ä 3 €');
  });
});

describe('a signed receipt', () => {
  it('is valid for the key that signed it, which it names by its fingerprint', () => {
    expect(openEnvelope(envelope, trusted)).toEqual({ receipt, signer: trusted[0] });
    expect(envelope).toMatchObject({ payloadType: PAYLOAD_TYPE, signatures: [{ keyid: fingerprintOf(mine.publicKey) }] });
    expect(fingerprintOf(mine.privateKey)).toBe(fingerprintOf(mine.publicKey));
  });

  it('is valid even if it names no key, or another one', () => {
    const [{ sig } = { sig: '' }] = envelope.signatures;
    expect(openEnvelope({ ...envelope, signatures: [{ sig }] }, trusted)).toMatchObject({ signer: trusted[0] });
    expect(openEnvelope({ ...envelope, signatures: [{ keyid: 'x', sig }] }, trusted)).toMatchObject({ signer: trusted[0] });
  });

  it('with an unknown key is reported as such', () => {
    expect(openEnvelope(signedBy(other.privateKey, statement), trusted)).toEqual({ receipt, signer: null, named: fingerprintOf(other.publicKey) });
    expect(openEnvelope(envelope, [])).toMatchObject({ signer: null, named: fingerprintOf(mine.publicKey) });
  });

  const forged: readonly (readonly [string, Envelope, RegExp])[] = [
    [
      'an altered payload',
      { ...envelope, payload: base64({ ...statement, predicate: { ...receipt, iterations: 9 } }) },
      /^its signature is not that of mine\.pub/,
    ],
    [
      'the signature of another text',
      { ...envelope, signatures: signedBy(mine.privateKey, { ...statement, subject: [] }).signatures },
      /not that of mine\.pub/,
    ],
    [
      'a signature by another key under the name of the right one',
      { ...envelope, signatures: signedBy(other.privateKey, statement).signatures.map(({ sig }) => ({ keyid: fingerprintOf(mine.publicKey), sig })) },
      /not that of mine\.pub/,
    ],
    ['a signature that is no base64', { ...envelope, signatures: envelope.signatures.map(({ keyid }) => ({ keyid, sig: '%%%' })) }, /not that of mine\.pub/],
    ['no signature', { ...envelope, signatures: [] }, /^its signature is missing$/],
    ['another type', { ...envelope, payloadType: 'application/json' }, /^it holds "application\/json", which is no receipt$/],
  ];
  it.each(forged)('with %s is refused', (_, text, problem) => {
    expect(openEnvelope(text, trusted)).toMatch(problem);
  });
});
