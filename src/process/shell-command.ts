export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Both streams into one pipe, so that a message keeps its place between the lines around it; then the line as it was written. */
const mergedThenRun = 'exec 2>&1; line=$1; shift; eval "$line"';

/** How a line a person wrote is given to the system's shell, its two streams merged or apart. The Windows way was never run, and does not merge. */
export function shellCommand(line: string, streams: 'merged' | 'apart' = 'merged'): ShellCommand {
  if (process.platform === 'win32') return { file: 'cmd', args: ['/d', '/s', '/c', line] };
  return { file: '/bin/sh', args: streams === 'merged' ? ['-c', mergedThenRun, 'sh', line] : ['-c', line] };
}
