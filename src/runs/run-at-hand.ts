import type { Clock } from '../engine/ports/ports.ts';
import type { Journal } from '../engine/ports/stores.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunOptions } from './run-options.ts';

/** A run with its journal open and its workspace held: new or resumed, the rest of the way is the same. */
export interface RunAtHand {
  readonly workspace: Workspace;
  readonly runFolder: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly opening: Extract<EventBody, { type: 'run.started' | 'run.resumed' }>;
  /** What was said while nobody was at work: recorded right after the opening. */
  readonly said?: readonly EventBody[];
}
