import type { SandboxPort } from '../engine/ports/sandbox.ts';

/** No sandbox: a process can do whatever its user can. */
export function openNoSandbox(): SandboxPort {
  return { mode: 'guard', enclose: async ({ file, args, cwd, env }) => ({ file, args, cwd, env, stopDepth: 0, leave: async () => undefined }) };
}
