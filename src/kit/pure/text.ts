/** The first `limit` code points, followed by `mark` if the text was cut. A limit of 0 or less cuts nothing. The time is bounded by the limit. */
export function truncateCodePoints(text: string, limit: number, mark = ''): string {
  if (limit <= 0 || text.length <= limit) return text;
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken += 1) end += codeUnitsAt(text, end);
  return end < text.length ? text.slice(0, end) + mark : text;
}

/** 2 for a whole surrogate pair; half a pair counts as one code point, as in a string's own iteration. */
const codeUnitsAt = (text: string, index: number) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

/** The last `limit` code points, after `mark` if the text was cut. A limit of 0 or less cuts nothing. The time is bounded by the limit. */
export function lastCodePoints(text: string, limit: number, mark = ''): string {
  if (limit <= 0 || text.length <= limit) return text;
  let start = text.length;
  for (let taken = 0; taken < limit && start > 0; taken += 1) start -= isPairBefore(text, start) ? 2 : 1;
  return start > 0 ? mark + text.slice(start) : text;
}

/** Half a pair counts as one code point, as in a string's own iteration. */
function isPairBefore(text: string, end: number): boolean {
  return end >= 2 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
}

/** The text on one line: line breaks and other control characters become spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

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

/** Invisible characters, changes of text direction, lone surrogates, and tags that hide text. Joiners stay because emoji need them. */
const DECEIVING = /[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;
const CONTROL = /\p{Cc}/gu;
const PLAIN = /^[ -~]*$/;

/** One line of text that is safe for a terminal: escape sequences are removed, other control characters are shown as symbols. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(COMMANDS, '').replaceAll('\t', '    ').replace(CONTROL, picture).replace(DECEIVING, '\ufffd');
}

/** U+2400 and later are the symbols of the C0 controls; C1 controls have none. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

const longestSlug = 50;

/** A name that is safe in any file system: other characters than ASCII letters and digits become `_`, not at the ends, 50 characters at most. */
export function slug(text: string, fallback = 'guardrail'): string {
  const name = text
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, longestSlug);
  return name === '' ? fallback : name;
}

const MOST_CHARS = 200;

/** `src/auth.py:42:1: F841 …`, `src/a.ts(3,5): error …`: a location and an error. */
const PLACE = /^[^\s:()]+\.\w+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))[:\s]+\S/;
const HARMLESS = /\b(?:note|info|warning|help)\b\s*:/i;

const TROUBLE = /\b(?:error|fail(?:ed|ure|s)?|exception|fatal|panic(?:ked)?|not ok|assert\w*|cannot|undefined)\b|\w(?:Error|Exception)\b/i;
/** Totals such as `0 failed` are no error; `at …` and `throw …` only show the stack of an error. */
const NO_TROUBLE = /\b(?:0|no) (?:error|fail)|^(?:at|throw) /i;

/** The line that best explains a failure: the first with a location and an error, else the first with an error, else the last. Empty for an empty output. */
export function mostInformativeLine(output: string): string {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(printable(line)))
    .filter(Boolean);
  const telling = lines.find((line) => PLACE.test(line) && !HARMLESS.test(line)) ?? lines.find((line) => TROUBLE.test(line) && !NO_TROUBLE.test(line));
  return truncateCodePoints(telling ?? lines.at(-1) ?? '', MOST_CHARS - 1, '…');
}

/** A code block that its content cannot close: the fence is longer than any run of backticks in it. */
export function fenced(content: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A command or word as inline code on one line, backticks in it included. */
export function codeSpan(text: string): string {
  const code = oneLine(text);
  const ticks = '`'.repeat(longestRun(code) + 1);
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${code}${space}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
