import type { Clock } from '../engine/ports/ports.ts';
import type { Journal } from '../engine/ports/stores.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunOptions } from './run-options.ts';

/** A run with an open journal and a locked workspace. From here on, new and resumed runs are treated alike. */
export interface OpenedRun {
  readonly workspace: Workspace;
  readonly runFolder: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly opening: Extract<EventBody, { type: 'run.started' | 'run.resumed' }>;
  /** What people said while the run was stopped; recorded right after `run.started` or `run.resumed`. */
  readonly said?: readonly EventBody[];
  /** The claim that a person has just allowed. It counts only for these files. */
  readonly allowed?: AllowedClaim;
}

export interface AllowedClaim {
  readonly iteration: number;
  readonly tree: string;
}
