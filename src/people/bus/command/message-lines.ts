import { printable } from '../../../kit/pure/printable.ts';
import type { BusMessage } from '../../../journal/bus-message.ts';

/** What a terminal obeys and JSON lets stand. */
const CONTROL = /[\u007f-\u009f]/g;

/** A message for people: who says it and when, then what, a little further in. Nothing in it reaches the terminal as a command. */
export function messageText({ msg_id, ts, type, run_id, task_id, parents = [], body }: BusMessage): string {
  const about = parents.map((parent) => `re ${parent.msg_id}`);
  const head = [type, ts, msg_id, run_id ?? task_id ?? '', ...about].filter(Boolean).join('  ');
  const lines = body.trimEnd() === '' ? [] : body.trimEnd().split(/\r?\n/);
  return `${[printable(head), ...lines.map((line) => `    ${printable(line)}`)].join('\n')}\n`;
}

/** The same for programs, on one line. */
export function messageJson(message: BusMessage): string {
  return `${JSON.stringify(message).replace(CONTROL, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)}\n`;
}
