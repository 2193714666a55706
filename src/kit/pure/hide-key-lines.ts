import { HIDDEN } from './redact.ts';

const BEGIN = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\r)?(?:\\n)?["',]*\s*$/;
const END = /-----END [A-Z ]*PRIVATE KEY-----/;
/** Base64, alone on its line or behind what a diff or a log puts before it; a head such as `Proc-Type: 4,ENCRYPTED`; or nothing. */
const KEY_MATERIAL = /^\s*$|^\W*[A-Za-z0-9+/=]+\W*$|(?:^|\W)[A-Za-z0-9+/=]{24}[A-Za-z0-9+/=]*\W*$|^\W*[A-Z][A-Za-z]*-[A-Z][A-Za-z]*: /;
/** The largest keys have fewer. */
const MOST_LINES = 400;

/** Takes the lines of private keys out of a text that comes in pieces of whole lines: a key in PEM is of many, and may begin in one piece and end in a later one. */
export function openKeyLinesHider(): (lines: string) => string {
  let linesLeft = 0;
  return (lines) => {
    if (linesLeft === 0 && !lines.includes('PRIVATE KEY-----')) return lines;
    return lines
      .split(/(?<=\n)/)
      .flatMap((line) => {
        if (linesLeft > 0 && !END.test(line) && KEY_MATERIAL.test(line)) {
          linesLeft -= 1;
          return linesLeft === MOST_LINES - 1 ? [HIDDEN, endOf(line)] : [];
        }
        linesLeft = BEGIN.test(line) ? MOST_LINES : 0;
        return [line];
      })
      .join('');
  };
}

function endOf(line: string): string {
  return /\r?\n?$/.exec(line)?.[0] ?? '';
}
