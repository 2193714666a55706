import type { Watcher } from '../engine/contracts.ts';
import type { SandboxRefusal } from '../engine/ports/sandbox.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import { textOf } from './os/trusted-path.ts';

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
      tell = ({ what, target, kept }) => void told({ type: 'wall.refused', what, target, ...(kept && { kept: { ref: kept.ref, paths: [...kept.paths] } }) });
      for (const refusal of waiting.splice(0)) tell(refusal);
      return {
        async [Symbol.asyncDispose]() {
          tell = () => undefined;
        },
      };
    },
  };
}

/**
 * The kernel reports a refused write only to the process that tried it, so all we can see is that process's error message. zsh and Go write it in small letters,
 * zsh before the path.
 */
const REFUSED_WRITE = /^.{0,300}(?:Read-only file system|: read-only file system|EROFS\b).{0,300}$/m;
const NOBODY_THERE = /connection refused|ECONNREFUSED|(?:couldn|can).t connect|failed to connect|\berr(?:no|or) 111\b/i;
const LOCAL_ADDRESS =
  /(?<![\w.])(?:localhost|127\.0\.0\.1|\[?::1\]?)(?:["'),]{0,2}(?: and accepting TCP\/IP connections on)?,? port[ =:]{1,2}|:)(\d{1,5})(?!\d)/gi;
const MOST_LOOKED_AT = 20_000;

/** What the error messages of an agent's tool tell. The agent's own messages do not count, unless it prints plain lines only, which include its tools' output. */
export function refusedIn(event: AgentEvent, printsLines: boolean): readonly SandboxRefusal[] {
  const text = event.type === 'tool.finished' ? event.output : printsLines && event.type === 'message' ? event.text : '';
  const write = REFUSED_WRITE.exec(text.slice(0, MOST_LOOKED_AT));
  return [...(write === null ? [] : [{ what: 'write', target: write[0].trim() } as const]), ...closedPortsIn(text)];
}

/**
 * The addresses of this machine where a process of the sandbox found nobody, although a program listens there: a database, say. The process has a loopback of
 * its own, so a check that needs such an address can never be green.
 */
export function closedPortsIn(output: string, listening = listeningPorts): readonly SandboxRefusal[] {
  const lines = output.slice(-MOST_LOOKED_AT).split('\n');
  // Some programs name the address on the line after the complaint.
  const told = lines.filter((line, index) => NOBODY_THERE.test(line) || NOBODY_THERE.test(lines[index - 1] ?? ''));
  const ports = new Set(told.flatMap((line) => [...line.matchAll(LOCAL_ADDRESS)].map(([, port]) => Number(port))));
  const open = ports.size === 0 ? ports : listening();
  return [...ports].filter((port) => open.has(port)).map((port) => ({ what: 'network', target: `localhost:${port}` }));
}

/** The TCP ports at which programs of this machine listen, from the tables of the kernel. */
function listeningPorts(): ReadonlySet<number> {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((row) => row.trim().split(/\s+/)),
  );
  const listening = rows.filter(([, , , state]) => state === LISTENS);
  return new Set(listening.map(([, address = '']) => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)));
}

const LISTENS = '0A';
