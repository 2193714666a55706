/** Ralph as a library: the same loop the command line drives, with a caller's AbortSignal instead of the terminal's signals. */

export type { RunView } from './core/views/run-view.ts';
export type { AgentEvent } from './model/agent-event.ts';
export type { EventBody, JournalEvent } from './model/events/journal-event.ts';
export { OperatorError } from './model/operator-error.ts';
export type { Outcome, StopReason } from './model/outcome.ts';
export type { SettingsFile } from './model/settings-file.ts';
export { type CleanupOptions, cleanupProgress, cleanupWorktree, type RunReference } from './wiring/library/cleanup.ts';
export type { AgentAnswer, AgentFactory, AgentFunction, AgentTokens, FactoryCall, LoopAgent, LoopConfig, TokenPrice } from './wiring/library/loop-config.ts';
export type { LoopEvent } from './wiring/library/loop-event.ts';
export type { CheckResult, LoopIteration, LoopResult, LoopStopReason } from './wiring/library/loop-result.ts';
export { type RunningLoop, runLoop } from './wiring/library/run-loop.ts';
export { superviseRoot } from './wiring/library/supervise-root.ts';
export type { Duration, RootLife, RootRunner, SuperviseOptions } from './wiring/library/supervise-root-options.ts';
export type { SuperviseResult } from './wiring/library/supervise-root-result.ts';
export { type ResumeOptions, resumeRun } from './wiring/resume-run.ts';
export type { FinishedRun, Projection, RunOptions } from './wiring/run-options.ts';
export { type RunStatus, runStatus } from './wiring/run-status.ts';
export { type StartOptions, startRun } from './wiring/start-run.ts';
