import type { RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';

/** What somebody wants of a root agent, be it a supervised one or a job. What is null is the default. */
export interface RootWish {
  /** Where the agent is to work, if not where it was asked for. */
  readonly workIn: string | null;
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
  readonly agent: string | null;
  /** A whole command instead of an agent, word by word. */
  readonly command: readonly string[];
  readonly agentKind: string | null;
  /** The caller brings its own agent, and `agent` is only its name. */
  readonly byFunction?: boolean;
  readonly model: string | null;
  readonly autonomy: RunSettings['agent']['autonomy'] | null;
  readonly prompt: RunSettings['prompt'] | null;
  readonly checks: readonly string[];
  readonly requireProof: boolean;
  readonly idleMs: number | null;
  readonly runMs: number | null;
  readonly env: Readonly<Record<string, string>>;
  /** What stands around the agent, as a settings file that lies over the others. */
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

export interface SuperviseWish extends RootWish {
  readonly supervise: Partial<Pick<SuperviseSpec, Chosen>>;
}

/** One life of an agent; asked for by another run, or by a person. */
export interface JobWish extends RootWish {
  readonly parent: string | null;
  /** The id it was given by who started it. */
  readonly run: string | null;
  readonly waitTimeoutMs: number | null;
  readonly killChildren: boolean;
}

/** Seed 002's, and what it leaves open. */
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
