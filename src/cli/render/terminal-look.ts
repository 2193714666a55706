import type { ConsoleOptions } from './console.ts';

/** How a stream wants to be written to: colours and an edge only on a terminal. Node itself heeds NO_COLOR, FORCE_COLOR and TERM there. */
export function terminalLook(stream: NodeJS.WriteStream): Pick<ConsoleOptions, 'width' | 'colour' | 'emoji'> {
  if (!stream.isTTY) return { width: 0, colour: false, emoji: true };
  return { width: stream.columns || 80, colour: stream.hasColors(), emoji: true };
}
