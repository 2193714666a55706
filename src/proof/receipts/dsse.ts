import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Envelope, PAYLOAD_TYPE, type Receipt, receiptIn, type Statement } from '../../journal/words/receipt.ts';

/**
 * The bytes that a DSSE signature covers, so that no other kind of text can pass as this one: "DSSEv1", then length and bytes of the type and of the payload.
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** The SHA-256 of the public key (SPKI), as other tools compute it. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return `sha256:${createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

export function signedBy(key: KeyObject, statement: Statement): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthEncoding(PAYLOAD_TYPE, payload), key).toString('base64');
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString('base64'), signatures: [{ keyid: fingerprintOf(key), sig }] };
}

export interface TrustedKey {
  readonly key: KeyObject;
  /** The owner's name, for a person. */
  readonly from: string;
}

export type Opened = { readonly receipt: Receipt } & (
  | { readonly signer: TrustedKey }
  /** None of the trusted keys is the one it names. */
  | { readonly signer: null; readonly named: string }
);

const MOST_SIGNATURES = 16;

/** The contents of an envelope, and which of these keys signed it; or one line that says why it does not count. */
export function openEnvelope({ payloadType, payload, signatures }: Envelope, trusted: readonly TrustedKey[]): Opened | string {
  if (payloadType !== PAYLOAD_TYPE) return `it holds ${JSON.stringify(payloadType)}, which is no receipt`;
  const few = signatures.slice(0, MOST_SIGNATURES);
  if (few.length === 0) return 'its signature is missing';
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthEncoding(payloadType, bytes);
  const signer = trusted.find(({ key }) => few.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64'))));
  const names = few.map(({ keyid = '' }) => keyid);
  const forged = signer === undefined ? trusted.find(({ key }) => names.includes(fingerprintOf(key))) : undefined;
  if (forged !== undefined) return `its signature is not that of ${forged.from}: it was changed, or somebody else has written it`;
  const receipt = receiptIn(parsed(bytes));
  if (typeof receipt === 'string') return receipt;
  return signer === undefined ? { receipt, signer: null, named: names.find((name) => name !== '') ?? 'without a name' } : { receipt, signer };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
