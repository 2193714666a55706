/** Ralph as a library: the same loop the command line drives, with a caller's AbortSignal instead of the terminal's signals. */

export type { EventBody, JournalEvent } from './journal/events/journal-event.ts';
export type { AgentEvent } from './journal/words/agent-event.ts';
export type { Outcome, StopReason } from './journal/words/outcome.ts';
export { OperatorError } from './kit/pure/operator-error.ts';
export { type CleanupOptions, cleanupProgress, cleanupWorktree, type RunReference } from './library/cleanup.ts';
export type { AgentAnswer, AgentFactory, AgentFunction, AgentTokens, FactoryCall, LoopAgent, LoopConfig, TokenPrice } from './library/loop-config.ts';
export type { LoopEvent } from './library/loop-event.ts';
export type { CheckResult, LoopIteration, LoopResult, LoopStopReason } from './library/loop-result.ts';
export { type RunningLoop, runLoop } from './library/run-loop.ts';
export { superviseRoot } from './library/supervise-root.ts';
export type { Duration, RootRunner, RootStart, SuperviseOptions, SuperviseResult } from './library/supervise-root-options.ts';
export { type StartOptions, startRun } from './recipes/run/start/start-run.ts';
export type { RunView } from './report/views/run-view.ts';
export { type ResumeOptions, resumeRun } from './runs/resume-run.ts';
export type { FinishedRun, Projection, RunOptions } from './runs/run-options.ts';
export { type RunStatus, runStatus } from './runs/run-status.ts';
export type { SettingsFile } from './settings/schema/settings-file.ts';
