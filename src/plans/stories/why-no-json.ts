/** Why a text is no JSON, and on which line; null when it is. */
export function whyNoJson(text: string): { readonly line: number; readonly message: string } | null {
  const message = complaintAbout(text);
  if (message === null) return null;
  const told = /at position (\d+)/.exec(message)?.[1];
  const offset = told === undefined ? viableLength(text) : Number(told);
  return { line: text.slice(0, offset).split('\n').length, message: inWords(message) };
}

function complaintAbout(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The parser does not always say where it stopped: it is where a beginning of the text stops being the beginning of any JSON. */
function viableLength(text: string): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (/^(?:Unexpected end|Unterminated)/.test(complaintAbout(text.slice(0, middle)) ?? 'Unexpected end')) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without the piece of text that is quoted, and without the position: the line says it. */
function inWords(message: string): string {
  return message.replace(/, (?:\.{3})?".*$/s, ' in JSON').replace(/ at position \d+.*$/s, '');
}
