import type { RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';

/** The request for a root agent, supervised or a job. Null means the default. */
export interface RootRequest {
  /** The directory of the agent, if it is not that of the caller. */
  readonly workIn: string | null;
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
  readonly agent: string | null;
  /** A whole command instead of an agent, as separate words. */
  readonly command: readonly string[];
  readonly agentKind: string | null;
  /** The caller provides its own agent, and `agent` is only its name. */
  readonly byFunction?: boolean;
  readonly model: string | null;
  readonly autonomy: RunSettings['agent']['autonomy'] | null;
  readonly prompt: RunSettings['prompt'] | null;
  readonly checks: readonly string[];
  readonly requireProof: boolean;
  readonly idleMs: number | null;
  readonly runMs: number | null;
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox settings, as a settings file that overrides the others. */
  readonly over?: SettingsFile;
}

type Chosen =
  | 'maxRestarts'
  | 'restartDelayMs'
  | 'backoffMs'
  | 'intensity'
  | 'waitTimeoutMs'
  | 'pollMs'
  | 'doneGraceMs'
  | 'waitScope'
  | 'killChildren'
  | 'dependsOn'
  | 'failOnBlocked';

export interface SuperviseRequest extends RootRequest {
  readonly supervise: Partial<Pick<SuperviseSpec, Chosen>>;
}

/** One start of an agent, for another run or for a person. */
export interface JobOptions extends RootRequest {
  readonly parent: string | null;
  /** The run id that the starting process chose. */
  readonly run: string | null;
  readonly waitTimeoutMs: number | null;
  readonly killChildren: boolean;
}

/** The defaults of seed 002, and ours where it has none. */
export const SUPERVISE_DEFAULTS: Pick<SuperviseSpec, Chosen> = {
  maxRestarts: 100,
  restartDelayMs: 1_000,
  backoffMs: 0,
  intensity: null,
  waitTimeoutMs: 300_000,
  pollMs: 1_000,
  doneGraceMs: 60_000,
  waitScope: 'task',
  killChildren: false,
  dependsOn: [],
  failOnBlocked: false,
};
