import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace, type Place } from './place.ts';
import { openPty, type Pty } from './pty.ts';

/** A folder to run `ralph init` in, by somebody on whose PATH are these agents and nothing else. */
export interface InitPlace extends Place {
  readonly env: Readonly<Record<string, string>>;
  init(how?: { readonly columns?: number; readonly redirect?: string; readonly env?: Readonly<Record<string, string>> }): Pty;
  /** What was written; null if nothing was, not even the folder. */
  settings(): unknown;
}

export async function openInitPlace(agents: readonly string[] = []): Promise<InitPlace> {
  const place = await openPlace();
  const bin = join(place.beside, 'bin');
  mkdirSync(bin);
  for (const name of agents) {
    writeFileSync(join(bin, name), '#!/bin/sh\n');
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: bin };
  return {
    ...place,
    env,
    init: (how = {}) => openPty(['init'], { cwd: place.path, beside: place.beside, ...how, env: { ...env, ...how.env } }),
    settings() {
      if (!existsSync(join(place.path, '.ralph'))) return null;
      return JSON.parse(readFileSync(join(place.path, '.ralph', 'settings.json'), 'utf8'));
    },
  };
}
