import type { Watcher } from '../engine/contracts.ts';
import type { SandboxRefusal } from '../engine/ports/sandbox.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';

export interface RefusalWatch {
  readonly watcher: Watcher;
  /** Reports each target once, no matter how often it is refused. */
  readonly refuse: (refusal: SandboxRefusal) => void;
}

/** Limits the reports, so that an agent that tries many targets cannot fill the journal. */
const MOST_TOLD = 200;

/** Reports what the sandbox refused as events of the run. Refusals from before the run has started are reported when it starts. */
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

/** The kernel reports a refused write only to the process that tried it, so all we can see is that process's error message. */
const COMPLAINT = /^.{0,300}(?:Read-only file system|EROFS\b).{0,100}$/m;
const MOST_LOOKED_AT = 20_000;

/**
 * The first error message in the output of an agent's tool that only a write outside the sandbox causes, or null. The agent's own messages do not count, unless
 * it prints plain lines only, which include the output of its tools.
 */
export function refusedWriteIn(event: AgentEvent, printsLines: boolean): SandboxRefusal | null {
  const text = event.type === 'tool.finished' ? event.output : printsLines && event.type === 'message' ? event.text : '';
  const found = COMPLAINT.exec(text.slice(0, MOST_LOOKED_AT));
  return found && { what: 'write', target: found[0].trim() };
}
