/** One command, and the lines it is shown to print; null where nothing is shown of it. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[] | null;
  /** Only where the exit code is shown next may a command end badly. */
  readonly mayFail: boolean;
}

/** The commands of a `sh` block. A line that ends in a backslash goes on. */
export function commandsIn(lines: readonly string[]): readonly Step[] {
  const whole = lines.join('\n').replaceAll('\\\n', ' ').split('\n');
  return whole.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#')).map((command) => ({ command, shown: null, mayFail: false }));
}

/** The commands of a `console` block, after `$ `, each with what it prints. None: all of it is output. */
export function transcriptOf(lines: readonly string[]): readonly Step[] {
  const starts = lines.flatMap((line, at) => (line.startsWith('$ ') ? [at] : []));
  const commands = starts.map((at) => (lines[at] ?? '').slice(2));
  return starts.map((at, nth) => ({
    command: commands[nth] ?? '',
    shown: lines.slice(at + 1, starts[nth + 1]),
    mayFail: commands[nth + 1] === 'echo $?',
  }));
}
