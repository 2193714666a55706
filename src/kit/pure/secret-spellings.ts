const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** How else a secret may stand in a text: as JSON has it, also inside of JSON, in an address, and in base64, whatever stands before it there. */
export function spellingsOf(secret: string): readonly string[] {
  const wellFormed = secret.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  const bytes = asBytes(wellFormed);
  const json = quoted(secret);
  const inBase64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  return [secret, json, quoted(json), encodeURIComponent(wellFormed), bytes, ...inBase64, ...inBase64.map(urlSafe)];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Its UTF-8, one character for each byte: so it stands in output that is no UTF-8 as a whole. */
function asBytes(text: string): string {
  return encodeURIComponent(text).replaceAll(/%([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Only the characters that stay the same whatever stands beside it: three bytes are four characters, so it may begin at one of three places. */
function base64Within(bytes: string, before: number): string {
  const all = base64('\0'.repeat(before) + bytes);
  return all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

function base64(bytes: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (bytes.charCodeAt(at) << 16) | ((bytes.charCodeAt(at + 1) || 0) << 8) | (bytes.charCodeAt(at + 2) || 0);
    for (const shift of [18, 12, 6, 0]) text += ALPHABET[(three >> shift) & 63];
  }
  return text;
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}
