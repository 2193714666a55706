import { environment } from '../../wiring/environment.ts';
import type { ConsoleOptions } from './console.ts';

/** How a stream wants to be written to: colours and an edge only on a terminal. Node heeds FORCE_COLOR before NO_COLOR; here NO_COLOR comes first. */
export function terminalLook(stream: NodeJS.WriteStream, env = environment()): Pick<ConsoleOptions, 'width' | 'colour'> {
  if (!stream.isTTY) return { width: 0, colour: false };
  return { width: stream.columns || 80, colour: !env['NO_COLOR'] && stream.hasColors(env) };
}
