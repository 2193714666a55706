import { isUtf8 } from 'node:buffer';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN, openKeyLinesHider } from '../kit/pure/redact.ts';

/** Removes secrets from bytes as they arrive. Returns each line as soon as it is complete, and the rest at the end. */
export interface StreamMask {
  push(chunk: Buffer): Buffer;
  end(): Buffer;
}

/** A longer line is emitted in parts. */
const mostHeldBytes = 512 * 1024;
/** No secret is longer, so this much context on both sides tells whether a line may be cut there. */
const windowBytes = 64 * 1024;
const mostTries = 16;
/** A line may arrive character by character. */
const mostPieces = 256;
const nothing = Buffer.alloc(0);

/** `hide` gets one or more complete lines (`openLinesHider`). Bytes that are not UTF-8 stay unchanged. Memory is bounded for lines of any length. */
export function openMaskStream(hide: HideSecrets): StreamMask {
  const hideKeys = openKeyLinesHider();
  const hideAll: HideSecrets = (lines) => hide(hideKeys(lines));
  let held: Buffer[] = [];
  let heldBytes = 0;
  let inValue = false;

  const hold = (bytes: Buffer) => {
    held = bytes.length > 0 ? [bytes] : [];
    heldBytes = bytes.length;
  };
  /** A value that is hidden at the cut may continue after it. */
  const afterValue = (bytes: Buffer): Buffer => {
    if (!inValue) return bytes;
    const end = bytes.findIndex(isBetweenWords);
    inValue = end < 0;
    return end < 0 ? nothing : bytes.subarray(end);
  };
  /** Takes the beginning of a line that is too long to buffer; the rest stays. */
  const partOfLine = (): Buffer => {
    const line = Buffer.concat(held);
    const cut = placeToCut(line, hide) ?? line.length;
    const part = maskedText(line.subarray(0, cut), hide);
    inValue = part.subarray(-HIDDEN.length).toString('latin1') === HIDDEN;
    hold(afterValue(line.subarray(cut)));
    return part;
  };

  return {
    push(given) {
      const chunk = afterValue(given);
      const end = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d)) + 1;
      const parts: Buffer[] = [];
      if (end > 0) {
        parts.push(maskedLines(Buffer.concat([...held, chunk.subarray(0, end)]), hideAll));
        hold(nothing);
      }
      // A copy, because the caller may reuse the buffer.
      if (end < chunk.length) held.push(Buffer.from(chunk.subarray(end)));
      heldBytes += chunk.length - end;
      if (held.length > mostPieces) hold(Buffer.concat(held));
      while (heldBytes > mostHeldBytes) parts.push(partOfLine());
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    },
    end() {
      const rest = maskedLines(Buffer.concat(held), hideAll);
      hold(nothing);
      return rest;
    },
  };
}

/** Handles lines that are not UTF-8 one by one, so that none affects how another is decoded. */
function maskedLines(bytes: Buffer, hide: HideSecrets): Buffer {
  if (isUtf8(bytes)) return maskedText(bytes, hide);
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(0x0a, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
    parts.push(maskedText(bytes.subarray(start, end), hide));
    start = end;
  }
  return Buffer.concat(parts);
}

function maskedText(bytes: Buffer, hide: HideSecrets): Buffer {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const hidden = hide(text);
  return hidden === text ? bytes : Buffer.from(hidden, encoding);
}

/** A place where no hidden value crosses; null if there is none near the end. */
function placeToCut(line: Buffer, hide: HideSecrets): number | null {
  let wanted = line.length - windowBytes;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const cut = startOfCharacter(line, wanted);
    const left = line.subarray(startOfCharacter(line, Math.max(0, cut - windowBytes)), cut);
    const right = line.subarray(cut, startOfCharacter(line, Math.min(line.length, cut + windowBytes)));
    const apart = Buffer.concat([maskedText(left, hide), maskedText(right, hide)]);
    if (maskedText(Buffer.concat([left, right]), hide).equals(apart)) return cut;
    // The step grows with every try, because most values are short.
    wanted -= 64 * 1.6 ** tries;
    if (wanted < windowBytes) return null;
  }
  return null;
}

function startOfCharacter(bytes: Buffer, wanted: number): number {
  let at = Math.floor(wanted);
  const earliest = Math.max(0, at - 3);
  while (at > earliest && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** White space and quotes end every value. */
function isBetweenWords(byte: number): boolean {
  return byte <= 0x20 || byte === 0x22 || byte === 0x27 || byte === 0x60;
}
