import type { SandboxCall, SandboxedCall, SandboxPort } from '../engine/ports/sandbox.ts';

type Call = Pick<SandboxCall, 'file' | 'args' | 'cwd' | 'env'>;

interface InSandbox extends AsyncDisposable {
  /** The part of the sandboxed call that a process request needs. */
  readonly process: Omit<SandboxedCall, 'leave'>;
}

/** Prepares a call to run in the sandbox, and leaves the sandbox when the result is disposed. Without a sandbox the call is unchanged. */
export async function inSandbox<C extends Call>(wall: { enclose(call: C): Promise<SandboxedCall> } | undefined, call: C): Promise<InSandbox> {
  const { file, args, cwd, env } = call;
  if (wall === undefined) return { process: { file, args, cwd, env, stopDepth: 0 }, async [Symbol.asyncDispose]() {} };
  const { leave, ...process } = await wall.enclose(call);
  return { process, [Symbol.asyncDispose]: leave };
}

/** No sandbox: a process can do whatever its user can. */
export function openNoSandbox(): SandboxPort {
  return { mode: 'guard', enclose: async ({ file, args, cwd, env }) => ({ file, args, cwd, env, stopDepth: 0, leave: async () => undefined }) };
}
