import { Receipt } from '../../journal/words/receipt.ts';
import { Envelope } from '../../journal/words/signed-receipt.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { gitAt } from '../../workspace/worktrees/open.ts';
import { fingerprintOf, openEnvelope } from '../receipts/dsse.ts';
import type { Trust } from '../receipts/trusted-keys.ts';

/** A receipt that matches its place, or why it is not valid. */
export type FoundReceipt = {
  readonly of: string;
  /** Null if it is about a run as a whole, or unknown. */
  readonly task: string | null;
} & ((SignedReceipt & { readonly kind: 'receipt'; readonly tree: string }) | { readonly kind: 'not-valid'; readonly problem: string });

/** Who is known to have written it. */
export type Signature =
  | { readonly state: 'signed'; readonly key: string; readonly from: string }
  | { readonly state: 'unknown-key'; readonly key: string }
  | { readonly state: 'unsigned'; readonly key: null };

interface SignedReceipt {
  readonly receipt: Receipt;
  readonly signature: Signature;
}

/** The receipt and its signer, or one line that says why the text is not valid. */
export function readReceipt(text: string, { keys }: Trust): SignedReceipt | string {
  const json = parsed(text);
  if (typeof json !== 'object' || json === null) return 'it is not JSON that a loop has written';
  const { data: envelope } = Envelope.safeParse(json);
  if (envelope === undefined) return readUnsigned(json);
  const opened = openEnvelope(envelope, keys);
  if (typeof opened === 'string') return opened;
  const { receipt, signer } = opened;
  if (signer === null) return { receipt, signature: { state: 'unknown-key', key: opened.named } };
  return { receipt, signature: { state: 'signed', key: fingerprintOf(signer.key), from: signer.from } };
}

/** The format of loops before they signed, and without a key. */
function readUnsigned(json: object): SignedReceipt | string {
  if ('version' in json && json.version !== 1) return `it is of version ${JSON.stringify(json.version)}, which this ralph does not know`;
  const { data, error } = Receipt.safeParse(json);
  return data ? { receipt: data, signature: { state: 'unsigned', key: null } } : `${error?.issues[0]?.path.join('.') || 'it'} is not as a loop writes it`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function named(name: string, cwd: string): Promise<string | null> {
  const { code, stdout } = await gitAt(cwd, environment())(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  return code === 0 ? stdout.trim() : null;
}
