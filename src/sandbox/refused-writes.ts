import type { WallRefusal } from '../engine/ports/wall.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';

/** The kernel tells nobody but the process it refuses; all we can see of it is what that process complained about. */
const COMPLAINT = /^.{0,300}(?:Read-only file system|EROFS\b).{0,100}$/m;
const MOST_LOOKED_AT = 20_000;

/**
 * The first complaint in what an agent's tool printed that only a write outside of the sandbox gives; null: none. What an agent says itself is no complaint,
 * unless all it prints are plain lines, its tools' among them.
 */
export function refusedWriteIn(event: AgentEvent, printsLines: boolean): WallRefusal | null {
  const text = event.type === 'tool.finished' ? event.output : printsLines && event.type === 'message' ? event.text : '';
  const found = COMPLAINT.exec(text.slice(0, MOST_LOOKED_AT));
  return found && { what: 'write', target: found[0].trim() };
}
