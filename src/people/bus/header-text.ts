/** What a reader of YAML takes for text without quotes: a word, or the id of a run. */
const PLAIN = /^(?:[A-Za-z]|\d{8}-\d)[\w.-]*$/;
/** Words that YAML takes for something else. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** What JSON lets stand and YAML takes for a line break or refuses. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

type Scalar = string | number | true;

/** One line of a header, readable as YAML by anybody; empty for what is not there. Lists and maps are JSON, which is YAML too. */
export function headerLine(key: string, value: Scalar | object | undefined): string {
  if (value === undefined) return '';
  return `${key}: ${typeof value === 'string' && PLAIN.test(value) && !NO_TEXT.test(value) ? value : quoted(value)}\n`;
}

function quoted(value: Scalar | object): string {
  return JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
