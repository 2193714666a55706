import { filledText, listOf, textLike } from '../../settings/kinds/setting.ts';
import { channel, fullText, type Message } from './channel.ts';

const address = textLike(String.raw`(?!-)[^\s@,;:<>"()]+@[^\s@,;:<>"()]+`, 'an e-mail address');

export const email = channel({
  about: 'An e-mail, by the `sendmail` of this machine.',
  fields: {
    to: listOf(address, 'a list of e-mail addresses').describe('Who gets it.'),
    from: address.describe('The sender. Default: what sendmail puts there.').optional(),
    sendmail: filledText.describe('The program that sends it. Default: `/usr/sbin/sendmail`.').optional(),
  },
  secrets: [],
  deliver: (message, { to, from, sendmail = '/usr/sbin/sendmail' }) => ({
    via: 'program',
    file: sendmail,
    // -i: a line with only a dot is part of the text. Recipients are arguments, so no header can add one.
    args: ['-i', ...(from === undefined ? [] : ['-f', from]), '--', ...to],
    stdin: [...headers(message, to, from), '', ...wrapped(fullText(message))].join('\n'),
  }),
});

function headers({ title, id }: Message, to: readonly string[], from: string | undefined): readonly string[] {
  return [
    ...(from === undefined ? [] : [`From: ${from}`]),
    `To: ${to.join(', ')}`,
    `Subject: ${headerText(title)}`,
    `X-Ralph-Id: ${headerText(id)}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ];
}

/** A header is ASCII (RFC 2047). Each piece becomes a word of its own, of at most 75 characters. */
function headerText(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text;
  const pieces = text.match(/.{1,5}/gu) ?? [];
  return pieces.map((piece) => `=?utf-8?Q?${Array.from(piece, encoded).join('')}?=`).join('\n ');
}

/** The bytes of a character in UTF-8, as `=C3=A4`. */
function encoded(char: string): string {
  if (/[A-Za-z0-9]/.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  return code < 0x80 ? `=${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(char).replaceAll('%', '=');
}

/** A line of a mail has at most 998 bytes. */
function wrapped(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.match(/.{1,200}/gu) ?? ['']);
}
