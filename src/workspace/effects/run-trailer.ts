import type { Place } from '../../engine/ports/ports.ts';

/** The run a place belongs to: the same in every life of it. */
export function runIdOf({ markerPrefix }: Pick<Place, 'markerPrefix'>): string {
  return markerPrefix.split('~')[0] ?? '';
}

/** A message of ours on a branch of ours: what it is about, and the iteration it comes from. */
export function messageWithTrailer(subject: string, place: Pick<Place, 'markerPrefix'>, iteration: number): string {
  return `${subject}\n\nRalph-Run: ${runIdOf(place)}/${iteration}\n`;
}
