import { createPublicKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { GitHistory } from '../../engine/ports/git.ts';
import { Envelope, Receipt } from '../../journal/words/receipt.ts';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { fingerprintOf, openEnvelope, type TrustedKey } from '../receipts/dsse.ts';
import { knownSigningKey } from '../receipts/signing-key.ts';

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

export interface TrustRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files that the operator names. */
  readonly files: readonly string[];
  /** The keys that the workers of a fleet have left in its store; null: the operator names none. */
  readonly stored: readonly StoredKey[] | null;
  /** A tree whose keys are trusted: never that of the work to be verified. */
  readonly base: string | null;
}

/** A public key that lies in a store. */
export interface StoredKey {
  readonly text: string;
  readonly from: string;
}

export interface Trust {
  readonly keys: readonly TrustedKey[];
  /** Whether somebody has chosen whose signatures count, so that no other does. */
  readonly isChosen: boolean;
}

/** Whose signatures count: the named keys and those of the named store, else those of the base, else the operator's own. */
export async function trustedKeys({ cwd, env, files, stored, base }: TrustRequest, history: GitHistory): Promise<Trust> {
  if (files.length > 0 || stored !== null) {
    const ofStore = (stored ?? []).map(({ text, from }) => ({ key: publicKeyIn(text), from })).filter((each): each is TrustedKey => each.key !== null);
    return { keys: [...(await Promise.all(files.map((file) => keyInFile(file, cwd)))), ...ofStore], isChosen: true };
  }
  const ofBase = base === null ? null : await keysIn(base, history);
  if (ofBase !== null) return { keys: ofBase, isChosen: true };
  const own = await knownSigningKey(env);
  return { keys: own === null ? [] : [{ key: own.key, from: 'your own key' }], isChosen: false };
}

async function keyInFile(file: string, cwd: string): Promise<TrustedKey> {
  const read = await readText(resolve(cwd, file), 'refuse pipes');
  const key = read.kind === 'text' ? publicKeyIn(read.text) : null;
  if (key !== null) return { key, from: file };
  const why = read.kind === 'text' ? 'holds no public Ed25519 key' : `cannot be read: ${read.reason}`;
  throw new OperatorError('no-key', `${file} ${why}`, { hint: 'ralph verify --print-key prints yours, to be kept in such a file.', exitCode: 2 });
}

const KEY_FILE = /^\.ralph\/receipt-keys\/[^/]+\.pub$/;

/** Null if the tree has none. A key that cannot be read does not count. */
async function keysIn(tree: string, history: GitHistory): Promise<readonly TrustedKey[] | null> {
  const files = [...(await history.filesIn(tree))].filter(([path, { mode }]) => KEY_FILE.test(path) && mode !== '120000');
  const keys: TrustedKey[] = [];
  for (const [path, { id }] of files) {
    const key = publicKeyIn(Buffer.from(await history.bytesOf(id)).toString());
    if (key !== null) keys.push({ key, from: path });
  }
  return files.length === 0 ? null : keys;
}

/** A file with a private key does not count: its owner has given the key away. */
function publicKeyIn(text: string): KeyObject | null {
  if (text.includes('PRIVATE KEY')) return null;
  try {
    const key = createPublicKey(text);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
