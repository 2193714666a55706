/** What a command prints or reads, as far as it stands in the line itself. */
export interface Stream {
  /** Null: it is known only once it runs. */
  readonly text: string | null;
  /** download: from the network. decoded: made readable by a decoder. endless: it never stops by itself. */
  readonly origin: 'plain' | 'download' | 'decoded' | 'endless';
}

/** Longer texts are nobody's one-liner. */
const MOST_TEXT = 128 * 1024;

export const NOTHING: Stream = { text: '', origin: 'plain' };
export const UNKNOWN: Stream = { text: null, origin: 'plain' };
export const DOWNLOADED: Stream = { text: null, origin: 'download' };

export const textStream = (text: string, origin: Stream['origin'] = 'plain'): Stream => ({ text: text.length > MOST_TEXT ? null : text, origin });

/** One after the other. */
export function joined(first: Stream, then: Stream): Stream {
  if (first === NOTHING) return then;
  if (then === NOTHING) return first;
  const origin = first.origin === 'plain' ? then.origin : first.origin;
  return first.text === null || then.text === null ? { text: null, origin } : textStream(first.text + then.text, origin);
}
