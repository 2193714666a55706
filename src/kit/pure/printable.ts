const ESCAPE = '\u001b';
const BELL = '\u0007';

/** Whole terminal commands: CSI, then the string ones (OSC, DCS, SOS, PM, APC) up to their end or the end of the text, then the short ones. */
const COMMANDS = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${ESCAPE}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${ESCAPE}${BELL}\u009c]*(?:${ESCAPE}\\\\|[${BELL}\u009c])?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** What draws nothing or turns the direction of what follows, half surrogates, and the tags that hide text. Joiners stay: emoji need them. */
const DECEIVING = /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;
const CONTROL = /\p{Cc}/gu;
const PLAIN = /^[ -~]*$/;

/** One line of text that no terminal can take for a command: escape sequences are gone, other control characters are shown as pictures. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(COMMANDS, '').replaceAll('\t', '    ').replace(CONTROL, picture).replace(DECEIVING, '\ufffd');
}

/** U+2400 and after are the pictures of the C0 controls; the C1 ones have none. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
