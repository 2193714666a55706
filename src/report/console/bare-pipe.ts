/** What a `|` may stand in without being a pipe: an escape, quotes, `||` and `>|`. */
const NO_PIPE = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\|\||>\|/gs;

/** Whether a command of `sh -c` is judged by the end of a pipe, where a failure before it is lost. */
export function hasBarePipe(command: string): boolean {
  return !/\bpipefail\b/.test(command) && command.replaceAll(NO_PIPE, '').includes('|');
}
