import type { Place } from '../../engine/ports/ports.ts';

/** Where what was put back is kept: one ref for each time, so that nothing anybody made is ever lost under the next. */
export function keptRef({ markerPrefix }: Place, name: string): string {
  const run = markerPrefix.split('~')[0] ?? '';
  return `refs/ralph/kept/${run}/${name.replaceAll('~', '-')}`;
}
