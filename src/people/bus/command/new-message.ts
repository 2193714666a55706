import type { NewBusMessage } from '../../../journal/bus-message.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

/** `key=value` words as a map. */
export function metaOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map(pairOf));
}

function pairOf(word: string): readonly [string, string] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (key === undefined || value === undefined) throw wrong(`--meta ${word} is no pair`, 'Write it as key=value.');
  return [key, value];
}

/** The message, if it is one. Only its type can be wrong by now. What checks it is loaded for those who post only. */
export async function checkedMessage(message: NewBusMessage): Promise<NewBusMessage> {
  const checked = (await import('../../../journal/bus-message.ts')).NewBusMessage.safeParse(message);
  if (checked.success) return checked.data;
  throw wrong(`"${message.type}" is no type of a message`, 'It begins with a letter, and has letters, digits, dots, dashes and underscores, 64 at most.');
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
