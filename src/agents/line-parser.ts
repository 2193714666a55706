import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { StreamParser } from './agent-definition.ts';

/** As much of an unknown line as people need to see; all of it is in the spool. */
const RAW_CHARS = 1000;

const nothing = (): readonly AgentEvent[] => [];

/** A parser for agents that run nothing in the background: settled while the last line is the one that ended a turn. */
export function lineParser(read: (line: string) => readonly AgentEvent[], end: () => readonly AgentEvent[] = nothing): StreamParser {
  let settled = false;
  return {
    line(text) {
      if (text === '') return [];
      const events = read(text);
      settled = events.some((event) => event.type === 'turn.finished');
      return events;
    },
    end,
    settled: () => settled,
  };
}

export function notUnderstood(line: string): readonly AgentEvent[] {
  return [{ type: 'raw', line: line.length > RAW_CHARS ? line.slice(0, RAW_CHARS) : line }];
}

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
