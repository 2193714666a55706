import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ActiveMarker, readActiveMarker } from '../hooks/active-marker-text.ts';
import { readRegular } from '../../kit/files/read-regular.ts';

export interface FoundMarker {
  /** The folder it stands in: the project's root. */
  readonly root: string;
  readonly marker: ActiveMarker;
}

/** The nearest `.ralph-active` from any of these folders up to the top of its work tree. Where there is no git, only in the folder itself: above it anybody may write. */
export function findMarker(from: readonly (string | null | undefined)[]): FoundMarker | null {
  for (const folder of new Set(from)) {
    const found = folder ? foldersUpToTheTop(folder).find(isMarked) : undefined;
    if (found !== undefined) return { root: found, marker: readActiveMarker(readRegular(markerIn(found)) ?? '') };
  }
  return null;
}

const markerIn = (folder: string) => join(folder, '.ralph-active');

/** A link or a file that cannot be read is one as well: whoever put it there does not get rid of the checks. */
const isMarked = (folder: string) => lstatSync(markerIn(folder), { throwIfNoEntry: false }) !== undefined;

function foldersUpToTheTop(folder: string): readonly string[] {
  const all = [folder];
  for (let at = folder; !existsSync(join(at, '.git')); all.push(at)) {
    const above = dirname(at);
    if (above === at) return [folder];
    at = above;
  }
  return all;
}
