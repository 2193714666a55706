export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** How a line a person wrote is given to the system's shell. The Windows way was never run. */
export function shellCommand(line: string): ShellCommand {
  if (process.platform === 'win32') return { file: 'cmd', args: ['/d', '/s', '/c', line] };
  return { file: '/bin/sh', args: ['-c', line] };
}
