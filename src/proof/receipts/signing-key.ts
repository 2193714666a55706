import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SignedText } from '../../engine/ports/ports.ts';
import { type Receipt, statementOf } from '../../journal/words/receipt.ts';
import { isInside } from '../../kit/files/read.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { configFolder } from '../../store/user-folders.ts';
import { fingerprintOf, signedBy } from './dsse.ts';

type Env = Readonly<Record<string, string>>;

/** Why there is no key, in one line. */
interface NoKey {
  readonly why: string;
}

export interface SigningKey {
  readonly key: KeyObject;
  readonly file: string;
}

/**
 * The operator's own key, which signs receipts. It is made on first use, where no process in a sandbox can see it; never in the work tree, where agents would
 * find it and a commit would publish it.
 */
export async function openSigningKey(env: Env, workTree: string | null): Promise<SigningKey | NoKey> {
  const folder = configFolder(env);
  if (folder === null) return { why: 'nobody knows your home folder, where the key would lie' };
  const file = join(folder, 'receipt-key.pem');
  try {
    if (workTree !== null && isInside(await realpath(workTree), await realPlace(folder)))
      return { why: `the key would lie in the work tree, at ${file}: name another folder as XDG_CONFIG_HOME` };
    const found = await readKey(file);
    if (found !== null) return found;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeKey(folder, file);
    return (await readKey(file)) ?? { why: `${file} is gone` };
  } catch (error) {
    return { why: oneLine(`the key cannot be read or made: ${(error as Error).message}`) };
  }
}

/** The real path of a folder, even if it does not exist yet. */
async function realPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(await realPlace(dirname(folder)), basename(folder));
  }
}

/** The same key, only if it exists. */
export async function knownSigningKey(env: Env): Promise<SigningKey | null> {
  const folder = configFolder(env);
  const found = folder === null ? null : await readKey(join(folder, 'receipt-key.pem')).catch(() => null);
  return found !== null && 'key' in found ? found : null;
}

/** The public key, for others to verify with. */
export const publicHalf = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

const MOST_BYTES = 10_000;

/** Null if it does not exist. A key that others can read proves nobody's signature. */
async function readKey(file: string): Promise<SigningKey | NoKey | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  await using _closed = { [Symbol.asyncDispose]: () => handle.close() };
  const found = await handle.stat();
  if (!found.isFile() || found.size > MOST_BYTES) return { why: `${file} is no key` };
  if ((found.mode & 0o077) !== 0) return { why: `others can read ${file}: chmod 600 it, or remove it for a new one` };
  const key = privateKeyIn(await handle.readFile('utf8'));
  return key === null ? { why: `${file} is no Ed25519 key: remove it for a new one` } : { key, file };
}

function privateKeyIn(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** If two processes make a key at the same time, the first one wins, and nobody sees half of a file. */
async function makeKey(folder: string, file: string): Promise<void> {
  const made = generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
  const temporary = join(folder, `receipt-key.${process.getBuiltinModule('node:crypto').randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(made.privateKey);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

interface SigningPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly workTree: string;
}

/** The text of the receipt: signed, or unsigned with the reason. */
export async function signReceipt(receipt: Receipt, { env, workTree }: SigningPlace): Promise<SignedText> {
  const unsigned = (why: string): SignedText => ({ text: textOf(receipt), signedBy: null, why });
  const statement = statementOf(receipt);
  if (statement === null) return unsigned('it names no tree that a signature could be about');
  const opened = await openSigningKey(env, workTree);
  if ('why' in opened) return unsigned(opened.why);
  return { text: textOf(signedBy(opened.key, statement)), signedBy: fingerprintOf(opened.key), why: '' };
}

const textOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
