import { readFileSync } from 'node:fs';

/** The most memory this process ever held, in MB. */
export function peakMb() {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024);
}
