import * as z from '../../kit/pure/shape.ts';

/** docker: a microVM. os: namespaces of the operating system. guard: no sandbox, only rules that check commands before they run. The strongest first. */
export const SANDBOX_MODES = ['docker', 'os', 'guard'] as const;
export const SandboxMode = z.enum(SANDBOX_MODES);
export type SandboxMode = z.infer<typeof SandboxMode>;

/** Commands that the operator allows, warns about or denies in addition to the guard's rules. Each is the first words of a command; `*` stands for anything. */
const GuardLists = z.strictObject({ allow: z.array(z.string()), deny: z.array(z.string()), warn: z.array(z.string()) });
export type GuardLists = Readonly<z.infer<typeof GuardLists>>;

/** The sandbox of a run. Journaled: a resumed run has the same sandbox or does not start. */
export const SandboxSpec = z.strictObject({
  mode: SandboxMode,
  /** Whether the operator asked for this mode. */
  forced: z.boolean(),
  /** Why the sandbox is not a stronger one; null if there is nothing to explain. */
  reason: z.string().nullable(),
  /** inside: gates run in the sandbox, because they run what the agent wrote. host: the operator wants them outside. */
  gates: z.enum(['inside', 'host']),
  /** Hosts that may be reached besides the model's: `host`, `*.host`, `host:port`. */
  hosts: z.array(z.string()),
  /** More paths that are writable inside; absolute. */
  writable: z.array(z.string()),
  /** Paths that are visible inside, of the home and of other folders that are empty there; absolute. */
  readable: z.array(z.string()),
  /** Paths that are never visible inside; absolute. */
  hidden: z.array(z.string()).optional(),
  /** In bytes, and how many: what an agent or a gate may use with all it starts. 0: any amount. Absent: three quarters of the memory, and 4096. */
  maxMemory: z.number().optional(),
  maxProcesses: z.number().optional(),
  /** none: for an agent that another agent has named and could have written. It gets no login and no key. */
  login: z.enum(['agent', 'none']).default('agent'),
  /** isolated: agents and gates work in a copy of the work tree at the same path, if the sandbox can do that. copy: in a copy, without a sandbox. place, or absent: in the operator's work tree. */
  workspace: z.enum(['isolated', 'copy', 'place']).optional(),
  env: z.strictObject({
    /** Names of the variables that agents and gates get; `*` stands for any letters. */
    pass: z.array(z.string()),
  }),
  guard: GuardLists,
});
export type SandboxSpec = Readonly<z.infer<typeof SandboxSpec>>;

/** The default, and that of runs from before sandboxes existed. */
export const NO_SANDBOX: SandboxSpec = {
  mode: 'guard',
  forced: false,
  reason: null,
  gates: 'inside',
  hosts: [],
  writable: [],
  readable: [],
  login: 'agent',
  env: { pass: [] },
  guard: { allow: [], deny: [], warn: [] },
};

/** The agent and its command line. */
export const AgentSpec = z.strictObject({
  /** The name of its profile in the settings; absent: it is known by its command. */
  name: z.string().min(1).optional(),
  kind: z.string(),
  command: z.string().min(1),
  flags: z.array(z.string()),
  model: z.string().nullable(),
  autonomy: z.enum(['full', 'edits', 'ask']),
  /** Variables that choose its account. A value such as `$NAME` is the name of a variable of the operator. Absent: that of the operator's environment. */
  env: z.record(z.string(), z.string()).optional(),
  /** The known agents on PATH, of which this is the first; absent: the operator has named it. */
  onPath: z.array(z.string()).optional(),
});
export type AgentSpec = Readonly<z.infer<typeof AgentSpec>>;
