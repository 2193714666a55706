/** What a command prints or reads, as far as the line itself contains it. */
export interface Stream {
  /** Null when it is known only at run time. */
  readonly text: string | null;
  /** download: from the network. decoded: output of a decoder. endless: it never stops by itself. */
  readonly origin: 'plain' | 'download' | 'decoded' | 'endless';
}

/** Longer texts are not followed. */
const MOST_TEXT = 128 * 1024;

export const NOTHING: Stream = { text: '', origin: 'plain' };
export const UNKNOWN: Stream = { text: null, origin: 'plain' };
export const DOWNLOADED: Stream = { text: null, origin: 'download' };

export const textStream = (text: string, origin: Stream['origin'] = 'plain'): Stream => ({ text: text.length > MOST_TEXT ? null : text, origin });

/** The two streams, one after the other. */
export function joined(first: Stream, then: Stream): Stream {
  if (first === NOTHING) return then;
  if (then === NOTHING) return first;
  const origin = first.origin === 'plain' ? then.origin : first.origin;
  return first.text === null || then.text === null ? { text: null, origin } : textStream(first.text + then.text, origin);
}
