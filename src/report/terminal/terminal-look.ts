import { environment } from '../../sandbox/environment/environment.ts';
import type { ConsoleOptions } from './console.ts';

/** Whether a line can be rewritten in place: not in a log, which would keep every version. */
export function canRewriteLines(stream: NodeJS.WriteStream, env = environment()): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

/** Colours and an edge only for a terminal. Node prefers FORCE_COLOR over NO_COLOR; here NO_COLOR wins. */
export function terminalLook(stream: NodeJS.WriteStream, env = environment()): Pick<ConsoleOptions, 'width' | 'colour'> {
  if (!stream.isTTY) return { width: 0, colour: false };
  return { width: stream.columns || 80, colour: !env['NO_COLOR'] && stream.hasColors(env) };
}
