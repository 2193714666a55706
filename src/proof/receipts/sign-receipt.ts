import type { SignedText } from '../../engine/ports/ports.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { statementOf } from '../../journal/words/signed-receipt.ts';
import { fingerprintOf, signedBy } from './dsse.ts';
import { openSigningKey } from './signing-key.ts';

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
