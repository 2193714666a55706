import type { StreamParser } from './agent-definition.ts';

/**
 * Plain text, from an unknown command or an agent asked for text: every line is a message, and the turn ends when the process exits by itself. The exit code
 * says whether it succeeded.
 */
export function openPlainParser(): StreamParser {
  return {
    line: (text) => [{ type: 'message', text }],
    end: (exited) => (exited ? [{ type: 'turn.finished', ok: true, text: '', reason: 'exited' }] : []),
    settled: () => false,
  };
}
