import type { DockerCommands } from './docker-commands.ts';
import { execArgs } from './docker-grammar.ts';

/** In the environment of all that one call starts inside. */
export const INSIDE_MARKER = 'RALPH_INSIDE';

/** Asked to end, then made to. Whoever carries the mark is found, also if it left its session. */
const END_ALL = `
mark="${INSIDE_MARKER}=$1"
marked() { grep -lzxF "$mark" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n'; }
found=$(marked); [ -n "$found" ] || exit 0
kill -TERM $found 2>/dev/null
i=0; while [ $i -lt 20 ]; do found=$(marked); [ -n "$found" ] || exit 0; sleep 0.1; i=$((i+1)); done
kill -KILL $found 2>/dev/null
exit 0`;

/** To end the client of an exec does not end what it started: that is done here. A sandbox that is gone has nothing left in it. */
export async function endInside(commands: DockerCommands, name: string, mark: string): Promise<void> {
  await commands.ask(execArgs(commands.cli, { name, user: 'root', command: ['sh', '-c', END_ALL, 'sh', mark] }));
}
