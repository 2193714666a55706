import type { Projection } from '../engine/contracts.ts';
import type { AgentPort } from '../engine/ports/agent.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { RunView } from '../report/views/run-view.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';

export type { Projection } from '../engine/contracts.ts';

/** What a new and a resumed run have in common. */
export interface RunOptions {
  readonly cwd: string;
  /** Made once the run's folder is known. */
  readonly projections: (runFolder: string, recipe: RunSettings['recipe']) => readonly Projection[] | Promise<readonly Projection[]>;
  /** Whether this process's own signals are the operator's. */
  readonly obeySignals: boolean;
  readonly signal: AbortSignal;
  /** What the operator should know and no journal tells; a warning of the process if nobody listens. */
  readonly warn?: (text: string) => void;
  /** The door of the run this one came from: who asks this run's agent's loop for more asks there. Absent: its own. */
  readonly door?: string;
  /** Opens the agent of a caller who brings one along, with the environment it may see; without it the settings name a command. */
  readonly openAgent?: (agent: RunSettings['agent'], env: Readonly<Record<string, string>>) => AgentPort;
}

/** Where this caller wants to be told. */
export function warner({ warn }: RunOptions): (text: string) => void {
  return warn ?? ((text) => process.emitWarning(text));
}

/** What is left when a run is over. */
export interface FinishedRun {
  readonly outcome: Outcome;
  readonly view: RunView;
  readonly runFolder: string;
}
