import { join } from 'node:path';
import { attemptId } from '../journal/effects/effect.ts';
import type { Place } from './ports/ports.ts';

interface Numbered {
  readonly iteration: number;
  readonly attempt: number;
}

/** Where one attempt keeps its prompt and its output. */
export function attemptFolder(place: Place, effect: Numbered & { readonly role: string }): string {
  return join(place.runFolder, 'iterations', String(effect.iteration).padStart(3, '0'), `${effect.attempt}-${effect.role}`);
}

/** In the environment of every process of an attempt, its agent's and its gates' alike. */
export function attemptMarker(place: Place, effect: Numbered): string {
  return `${place.markerPrefix}/${attemptId(effect)}`;
}

/** Whichever ends first: its own time or that of the whole run. 0 means no limit, so what is over has a millisecond left. */
export function timeLeft(ownMs: number, until: number | null, nowMs: number): number {
  if (until === null) return ownMs;
  const left = Math.max(1, until - nowMs);
  return ownMs === 0 ? left : Math.min(ownMs, left);
}
