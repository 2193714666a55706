/** One command and its shown output; null if no output is shown. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[] | null;
  /** A command may fail only if its exit code is shown next. */
  readonly mayFail: boolean;
}

/** The commands of a `sh` block. A backslash at the end of a line continues it. */
export function commandsIn(lines: readonly string[]): readonly Step[] {
  const whole = lines.join('\n').replaceAll('\\\n', ' ').split('\n');
  return whole.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#')).map((command) => ({ command, shown: null, mayFail: false }));
}

/** The commands of a `console` block, after `$ `, each with its output. Empty if the whole block is output. */
export function transcriptOf(lines: readonly string[]): readonly Step[] {
  const starts = lines.flatMap((line, at) => (line.startsWith('$ ') ? [at] : []));
  const commands = starts.map((at) => (lines[at] ?? '').slice(2));
  return starts.map((at, nth) => ({
    command: commands[nth] ?? '',
    shown: lines.slice(at + 1, starts[nth + 1]),
    mayFail: commands[nth + 1] === 'echo $?',
  }));
}
