import { readFileSync } from 'node:fs';

/** The peak memory of this process, in MB. */
export function peakMb() {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024);
}
