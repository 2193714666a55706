import type { Watcher } from '../engine/contracts.ts';
import type { SandboxRefusal } from '../engine/ports/sandbox.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';

export interface RefusalWatch {
  readonly watcher: Watcher;
  /** Told once for each target, whenever it comes. */
  readonly refuse: (refusal: SandboxRefusal) => void;
}

/** An agent that knocks at every door must not fill the journal. */
const MOST_TOLD = 200;

/** What the wall does not let through, as events of the run. What comes before the run is at work is told when it is. */
export function watchRefusals(): RefusalWatch {
  const known = new Set<string>();
  const waiting: SandboxRefusal[] = [];
  let tell: ((refusal: SandboxRefusal) => void) | null = null;
  return {
    refuse(refusal) {
      const name = `${refusal.what} ${refusal.target}`;
      if (known.has(name) || known.size >= MOST_TOLD) return;
      known.add(name);
      if (tell === null) waiting.push(refusal);
      else tell(refusal);
    },
    watcher: (told) => {
      tell = ({ what, target }) => void told({ type: 'wall.refused', what, target });
      for (const refusal of waiting.splice(0)) tell(refusal);
      return {
        async [Symbol.asyncDispose]() {
          tell = () => undefined;
        },
      };
    },
  };
}

/** The kernel tells nobody but the process it refuses; all we can see of it is what that process complained about. */
const COMPLAINT = /^.{0,300}(?:Read-only file system|EROFS\b).{0,100}$/m;
const MOST_LOOKED_AT = 20_000;

/**
 * The first complaint in what an agent's tool printed that only a write outside of the sandbox gives; null: none. What an agent says itself is no complaint,
 * unless all it prints are plain lines, its tools' among them.
 */
export function refusedWriteIn(event: AgentEvent, printsLines: boolean): SandboxRefusal | null {
  const text = event.type === 'tool.finished' ? event.output : printsLines && event.type === 'message' ? event.text : '';
  const found = COMPLAINT.exec(text.slice(0, MOST_LOOKED_AT));
  return found && { what: 'write', target: found[0].trim() };
}
