import { readdirSync, readFileSync } from 'node:fs';

export interface LivingProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Every live process whose command line or RALPH_MARKER contains the text; zombies are dead, and we ourselves do not count. */
export function processesNaming(text: string): LivingProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const state = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '')[0];
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const marker = readFileSync(`/proc/${name}/environ`, 'utf8').match(/(?:^|\0)RALPH_MARKER=([^\0]*)/)?.[1] ?? '';
        const named = commandLine.includes(text) || (marker !== '' && marker.includes(text));
        return state !== 'Z' && named ? [{ pid: Number(name), commandLine }] : [];
      } catch {
        return [];
      }
    });
}
