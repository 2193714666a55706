import { join } from 'node:path';
import { attemptId } from '../journal/effects/effect.ts';
import type { Place } from './ports/ports.ts';

interface Numbered {
  readonly iteration: number;
  readonly attempt: number;
}

/** The folder with the prompt and the output of one attempt. */
export function attemptFolder(place: Place, effect: Numbered & { readonly role: string }): string {
  return join(place.runFolder, 'iterations', String(effect.iteration).padStart(3, '0'), `${effect.attempt}-${effect.role}`);
}

/** The value of the marker variable in the environment of every process of an attempt, the agent's and the gates' alike. */
export function attemptMarker(place: Place, effect: Numbered): string {
  return `${place.markerPrefix}/${attemptId(effect)}`;
}

/** The smaller of an attempt's own time limit and what is left of the run's. 0 means no limit, so when the run's time is up this returns 1 ms. */
export function timeLeft(ownMs: number, until: number | null, nowMs: number): number {
  if (until === null) return ownMs;
  const left = Math.max(1, until - nowMs);
  return ownMs === 0 ? left : Math.min(ownMs, left);
}
