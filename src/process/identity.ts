import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from './process-request.ts';
import { readProcessRow } from './process-table.ts';

/** `unknown`: it lives, if it does, where we cannot look: on another machine or in another pid namespace. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Null when no process has that number. A zombie still has its identity. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (process.platform === 'win32') return { ...thisMachine(), pid, startTime: 'unknown' };
  const row = readProcessRow(pid);
  return row === null ? null : { ...thisMachine(), pid, startTime: row.startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return livenessOf(identity) === 'alive';
}

/** Whether this very process still runs: not another one that was given its number, and not its zombie. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = thisMachine();
  if (!isSameBoot(identity, here)) return identity.host === here.host ? 'dead' : 'unknown';
  if (identity.bootId !== here.bootId) return 'unknown';
  if (process.platform === 'win32') return answersOnWindows(identity.pid) ? 'alive' : 'dead';
  const row = readProcessRow(identity.pid);
  return row !== null && !row.zombie && row.startTime === identity.startTime ? 'alive' : 'dead';
}

/** Windows gives no cheap start time, so a reused number is taken for the same process. Not testable here. */
function answersOnWindows(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The pid namespace every Linux starts with; the number is fixed by the kernel. */
const firstNamespace = 'pid:[4026531836]';

const noBootId = 'unknown';

/** Where the pids we see mean something: a name, one boot of its kernel, and one pid namespace of that boot. */
interface Machine {
  readonly host: string;
  readonly bootId: string;
}

let machine: Machine | undefined;

export function thisMachine(): Machine {
  machine ??= { host: hostname(), bootId: readBootId() };
  return machine;
}

/**
 * A boot's name belongs to one machine, whatever the network calls that machine by now; only where boots have no name does the host's
 * decide. Asked apart from the namespace because the answers differ: after another boot a process is surely gone, in another namespace nobody can say.
 */
function isSameBoot(one: Machine, other: Machine): boolean {
  const boot = bootOf(one.bootId);
  return boot === bootOf(other.bootId) && (boot !== noBootId || one.host === other.host);
}

function bootOf(bootId: string): string {
  return bootId.split('+', 1)[0] ?? bootId;
}

function readBootId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const namespace = readlinkSync('/proc/self/ns/pid');
    return namespace === firstNamespace ? boot : `${boot}+${namespace.replace(/\D/g, '')}`;
  } catch {
    return readBootIdByCommand();
  }
}

/** macOS (never run there); any other system has no boot id, and its pids count as those of one endless boot. */
function readBootIdByCommand(): string {
  // Loaded only where it is needed: most readers start no process.
  const { stdout } = process.getBuiltinModule('node:child_process').spawnSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' });
  return stdout?.trim() || noBootId;
}
