interface Call {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Started extends Call {
  readonly askDepth: number;
  readonly namespaceArgs?: readonly string[];
  readonly stdin?: string;
  readonly extraInput?: Uint8Array;
}

interface Enclosed extends Started {
  leave(): Promise<void>;
}

interface BehindWall extends AsyncDisposable {
  /** What a process request needs of it. */
  readonly process: Started;
}

/** A call as it is run behind a wall, which is left when the scope is; without a wall as it is. */
export async function inSandbox<C extends Call>(wall: { enclose(call: C): Promise<Enclosed> } | undefined, call: C): Promise<BehindWall> {
  const { file, args, cwd, env } = call;
  if (wall === undefined) return { process: { file, args, cwd, env, askDepth: 0 }, async [Symbol.asyncDispose]() {} };
  const { leave, ...process } = await wall.enclose(call);
  return { process, [Symbol.asyncDispose]: leave };
}
