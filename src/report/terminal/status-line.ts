/** Erases the current line and moves the cursor to its start. */
export const CLEAR_LINE = '\r\u001b[K';

const REFRESH_MS = 1000;

/** The last line of a terminal, rewritten in place. All other lines go through it, so that they always scroll above. */
export interface StatusLine {
  /** Takes whole lines. */
  write(text: string): void;
  /** Rewrites the line now; it is also rewritten every second. */
  refresh(): void;
  close(): void;
}

export interface StatusLineOptions {
  readonly write: (text: string) => void;
  /** Whether everything before was written: a line that is outdated by the time it is read is not worth writing. */
  readonly isReady: () => boolean;
  /** Without a line end, and no wider than the terminal; empty: show nothing. */
  readonly text: () => string;
}

export function openStatusLine({ write, isReady, text }: StatusLineOptions): StatusLine {
  let shown = '';

  function refresh(): void {
    const next = text();
    if (next === shown || !isReady()) return;
    write(CLEAR_LINE + next);
    shown = next;
  }

  const timer = setInterval(refresh, REFRESH_MS).unref();
  return {
    write(lines) {
      const clear = shown === '' ? '' : CLEAR_LINE;
      shown = text();
      write(clear + lines + shown);
    },
    refresh,
    close() {
      clearInterval(timer);
      if (shown !== '') write(CLEAR_LINE);
      shown = '';
    },
  };
}
