import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Something that keeps a run from working, or may do so. */
export interface Finding {
  readonly what: string;
  /** The setting, variable or file that it is about. */
  readonly where: string;
  /** What the operator can do about it. */
  readonly fix: string;
  /** A run does not start with it. Otherwise it is a warning. */
  readonly isFatal: boolean;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  /** What is well; empty if there is nothing to tell. */
  readonly ok: readonly string[];
}

export const NOTHING: CheckResult = { findings: [], ok: [] };
export const fine = (...ok: readonly string[]): CheckResult => ({ findings: [], ok });
export const found = (...findings: readonly Finding[]): CheckResult => ({ findings, ok: [] });

export function joined(results: readonly CheckResult[]): CheckResult {
  return { findings: results.flatMap(({ findings }) => findings), ok: results.flatMap(({ ok }) => ok) };
}

/** The run that is to start: its settings with the sandbox that was chosen, and its workspace. */
export interface PlannedRun {
  readonly settings: RunSettings;
  readonly workspace: Workspace;
  /** Command lines of gates that only some of its tasks have. */
  readonly ownGates?: readonly string[];
  /** Ends what a check has started. */
  readonly signal: AbortSignal;
}

/** Looks at one thing that a run needs. Never rejects for what it finds. */
export type Check = (run: PlannedRun) => Promise<CheckResult>;
