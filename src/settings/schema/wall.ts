import * as z from '../../kit/pure/shape.ts';

/** docker: a microVM. os: namespaces of the operating system. guard: no wall, only rules that look at commands before they run. The strongest first. */
export const WALL_MODES = ['docker', 'os', 'guard'] as const;
export const WallMode = z.enum(WALL_MODES);
export type WallMode = z.infer<typeof WallMode>;

/** Commands the operator allows, warns of or denies beyond the rules of the guard. Each is the beginning of a command, by words; `*` stands for anything. */
const GuardLists = z.strictObject({ allow: z.array(z.string()), deny: z.array(z.string()), warn: z.array(z.string()) });
export type GuardLists = Readonly<z.infer<typeof GuardLists>>;

/** What stands between what an agent starts and the machine. Journaled: a resumed run is behind the same wall or does not start. */
export const WallSpec = z.strictObject({
  mode: WallMode,
  /** Whether the operator named it. */
  forced: z.boolean(),
  /** Why it is no stronger one, in words; null: there is no need to say. */
  reason: z.string().nullable(),
  /** inside: gates run behind the wall, since they run what the agent wrote. host: the operator wants them outside. */
  gates: z.enum(['inside', 'host']),
  /** Hosts that may be reached beside the model's: `host`, `*.host`, `host:port`. */
  hosts: z.array(z.string()),
  /** Absolute: what else may be written inside. */
  writable: z.array(z.string()),
  /** Absolute: what may be seen of the home, and of other folders that are empty inside. */
  readable: z.array(z.string()),
  /** Absolute: what is not there inside, wherever it lies. */
  hidden: z.array(z.string()).optional(),
  /** none: an agent that another one has named, and could have written. It gets nobody's login and nobody's key. */
  login: z.enum(['agent', 'none']).default('agent'),
  /** isolated: agents and gates have the work tree as a folder of their own, where that can be had. copy: without a sandbox they work in a copy of it. place, or absent: they work in the operator's. */
  workspace: z.enum(['isolated', 'copy', 'place']).optional(),
  env: z.strictObject({
    /** Names of variables that pass, `*` for any letters. */
    pass: z.array(z.string()),
  }),
  guard: GuardLists,
});
export type WallSpec = Readonly<z.infer<typeof WallSpec>>;

/** Of runs that were begun before there were walls, and where nobody says anything. */
export const NO_WALL: WallSpec = {
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

/** Which agent, and how it is called. */
export const AgentSpec = z.strictObject({
  kind: z.string(),
  command: z.string().min(1),
  flags: z.array(z.string()),
  model: z.string().nullable(),
  autonomy: z.enum(['full', 'edits', 'ask']),
});
export type AgentSpec = Readonly<z.infer<typeof AgentSpec>>;
