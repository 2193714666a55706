import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

export interface MessageBody {
  readonly body: string;
  /** The bytes themselves, where they are no text. */
  readonly body_base64?: string;
}

/** What was said, else all of standard input, byte for byte. Nobody is made to guess that we wait for them to type. */
export async function messageBody(said: string | null, flag: string): Promise<MessageBody> {
  if (said !== null) return { body: said };
  if (surroundings().stdin.isTTY)
    throw new OperatorError('usage', 'the message has no text', { hint: `Give it with ${flag}, or on standard input.`, exitCode: 2 });
  const bytes = await buffer(surroundings().stdin);
  return isUtf8(bytes) ? { body: bytes.toString() } : { body: bytes.toString(), body_base64: bytes.toString('base64') };
}
