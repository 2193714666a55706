/** Why we ended a process ourselves; the first cause wins and is the only one recorded. */
export type StopCause = 'idle' | 'deadline' | 'output' | 'lingered' | 'cancelled';

/** How a process ended. Every way is data: running a process never throws for what the process did. */
export type ProcessEnding =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly cause: StopCause; readonly detail: string; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'never-started'; readonly reason: 'not-found' | 'not-executable' | 'bad-directory' | 'other'; readonly message: string };

/** Names one process for ever: pid alone is reused, pid with start time and boot is not. */
export interface ProcessIdentity {
  readonly host: string;
  /** The boot of the kernel and, in a container, `+` and its pid namespace: where the pid means this process. */
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}
