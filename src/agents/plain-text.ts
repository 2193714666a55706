import type { StreamParser } from './agent-definition.ts';

/** Plain text, from a command that nobody knows or an agent asked for it: every line is said, and the turn ends when the process does by itself. Whether it ended well is for the exit code to tell. */
export function openPlainParser(): StreamParser {
  return {
    line: (text) => [{ type: 'message', text }],
    end: (exited) => (exited ? [{ type: 'turn.finished', ok: true, text: '', reason: 'exited' }] : []),
    settled: () => false,
  };
}
