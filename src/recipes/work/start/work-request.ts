import type { TaskFilter } from '../../../journal/words/plan.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';

/** The options of a run on a plan. Omitted ones default to WORK_DEFAULTS. */
export interface WorkRequest {
  /** The file or folder of the plan; null: the only one there is. */
  readonly plan: string | null;
  readonly filter: TaskFilter;
  /** The address of the store as the flag says it; null: the environment and the settings say. */
  readonly store: string | null;
  /** The agent and its limits, as a settings file that overrides the others. */
  readonly over: SettingsFile;
  /** Gates of every task, in addition to those of the settings and of the plan. */
  readonly checks: readonly string[];
  readonly workers: number;
  /** Null: no limit. */
  readonly maxIterations: number | null;
  readonly allowDirty: boolean;
  readonly said: Partial<
    Pick<
      WorkSpec,
      'pauseMs' | 'retryFailed' | 'unprovenTries' | 'flakyRetries' | 'resolveTries' | 'template' | 'promptCommand' | 'failOnBlocked' | 'maxFailures'
    >
  >;
  readonly budget: WorkSpec['budget'];
}

export const WORK_DEFAULTS = {
  pauseMs: 2_000,
  retryFailed: 0,
  unprovenTries: 2,
  resolveTries: 1,
  template: null,
  promptCommand: null,
  failOnBlocked: false,
  maxFailures: null,
} as const satisfies Partial<WorkSpec>;
