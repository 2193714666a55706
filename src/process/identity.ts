import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from './process-request.ts';
import { readProcessRow } from './process-table.ts';

/** `unknown`: it may live where we cannot look: on another machine or in another pid namespace. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Null if no process has that pid. A zombie still has an identity. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (process.platform === 'win32') return { ...thisMachine(), pid, startTime: 'unknown' };
  const row = readProcessRow(pid);
  return row === null ? null : { ...thisMachine(), pid, startTime: row.startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return livenessOf(identity) === 'alive';
}

/** Whether this exact process still runs: not another one with a reused pid, and not a zombie. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = thisMachine();
  if (!isSameBoot(identity, here)) return identity.host === here.host ? 'dead' : 'unknown';
  if (identity.bootId !== here.bootId) return 'unknown';
  if (process.platform === 'win32') return answersOnWindows(identity.pid) ? 'alive' : 'dead';
  const row = readProcessRow(identity.pid);
  return row !== null && !row.zombie && row.startTime === identity.startTime ? 'alive' : 'dead';
}

/** Windows has no cheap start time, so a reused pid counts as the same process. Not testable here. */
function answersOnWindows(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first pid namespace of every Linux; the kernel fixes its number. */
const firstNamespace = 'pid:[4026531836]';

const noBootId = 'unknown';

/** The scope in which a pid is valid: a host name, one boot of its kernel, and one pid namespace of that boot. */
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
 * A boot id belongs to one machine, even if its host name has changed. Without boot ids the host name decides. The namespace is a separate
 * check because the results differ: after another boot a process is certainly gone; in another namespace that is unknown.
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

/** For macOS (untested). Other systems have no boot id, so all their pids count as one boot. */
function readBootIdByCommand(): string {
  const { stdout } = spawnSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' });
  return stdout?.trim() || noBootId;
}
