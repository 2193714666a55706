import { environment } from '../../sandbox/environment/environment.ts';
import type { ConsoleOptions } from './console.ts';

/** Whether a line can be written anew in place there, and stay readable: not in a log, which keeps every one of them. */
export function canRewriteLines(stream: NodeJS.WriteStream, env = environment()): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

/** How a stream wants to be written to: colours and an edge only on a terminal. Node heeds FORCE_COLOR before NO_COLOR; here NO_COLOR comes first. */
export function terminalLook(stream: NodeJS.WriteStream, env = environment()): Pick<ConsoleOptions, 'width' | 'colour'> {
  if (!stream.isTTY) return { width: 0, colour: false };
  return { width: stream.columns || 80, colour: !env['NO_COLOR'] && stream.hasColors(env) };
}
