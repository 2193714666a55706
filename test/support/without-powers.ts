import { CLI, cleanEnv } from './ralph.ts';
import { type BinaryEnding, runBinary } from './run-binary.ts';

/** The built CLI as somebody who owns the files but may not pass over their permissions, though the tests run as root. */
export function ralphWithoutPowers(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<BinaryEnding> {
  const sandbox = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--cap-drop', 'ALL'];
  return runBinary({ file: 'bwrap', args: [...sandbox, process.execPath, CLI, ...args], cwd, env: cleanEnv(cwd, env), stdin: '', withinMs: 60_000 });
}
