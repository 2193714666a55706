/** The files of a `git diff --stat`, as it names them; its last line is their sum. */
export function filesOf(stat: string): readonly string[] {
  return stat.split('\n').flatMap((line) => /^ (.+?) +\| +(?:\d|Bin)/.exec(line)?.[1] ?? []);
}
