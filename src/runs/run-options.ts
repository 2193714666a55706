import type { Projection } from '../engine/contracts.ts';
import type { AgentPort } from '../engine/ports/agent.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { RunView } from '../report/views/run-view.ts';
import type { Landing, RunSettings } from '../settings/schema/run-settings.ts';

export type { Projection } from '../engine/contracts.ts';

/** Options that a new and a resumed run share. */
export interface RunOptions {
  readonly cwd: string;
  /** Called once the run's folder is known. */
  readonly projections: (runFolder: string, recipe: RunSettings['recipe']) => readonly Projection[] | Promise<readonly Projection[]>;
  /** Whether a signal to this process counts as the operator's request. */
  readonly obeySignals: boolean;
  readonly signal: AbortSignal;
  /** Receives what the operator should know and the journal does not contain; without it, Ralph emits a process warning. */
  readonly warn?: (text: string) => void;
  /** Receives what was done after the end of the run. */
  readonly say?: (text: string) => void;
  /** The socket of the parent run, where the agent of this run asks for children. Absent: the run's own socket. */
  readonly door?: string;
  /** Opens an agent that the caller provides, with the environment it may see; without it, the settings name a command. */
  readonly openAgent?: (agent: RunSettings['agent'], env: Readonly<Record<string, string>>) => AgentPort;
}

/** The function that receives this caller's warnings. */
export function warnFunctionOf({ warn }: RunOptions): (text: string) => void {
  return warn ?? ((text) => process.emitWarning(text));
}

/** The result of a run that is over. */
export interface FinishedRun {
  readonly outcome: Outcome;
  readonly view: RunView;
  readonly runFolder: string;
  /** Absent: its work lands at once. */
  readonly settings?: RunSettings & { readonly landing: Landing };
}
