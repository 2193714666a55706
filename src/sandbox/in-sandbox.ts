interface Call {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Started extends Call {
  readonly stopDepth: number;
  readonly namespaceArgs?: readonly string[];
  readonly stdin?: string;
  readonly extraInput?: Uint8Array;
}

interface Enclosed extends Started {
  leave(): Promise<void>;
}

interface BehindWall extends AsyncDisposable {
  /** The part of the sandboxed call that a process request needs. */
  readonly process: Started;
}

/** Prepares a call to run in the sandbox, and leaves the sandbox when the result is disposed. Without a sandbox the call is unchanged. */
export async function inSandbox<C extends Call>(wall: { enclose(call: C): Promise<Enclosed> } | undefined, call: C): Promise<BehindWall> {
  const { file, args, cwd, env } = call;
  if (wall === undefined) return { process: { file, args, cwd, env, stopDepth: 0 }, async [Symbol.asyncDispose]() {} };
  const { leave, ...process } = await wall.enclose(call);
  return { process, [Symbol.asyncDispose]: leave };
}
