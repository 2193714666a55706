import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegular } from '../kit/files/read-regular.ts';
import { writeAtomic } from '../kit/files/write-atomic.ts';
import type { ParsedPlan } from './parse-plan.ts';
import { digestOf } from './reading/source-file.ts';

/** Of what is kept. To be raised with every change of what is read out of a plan. */
const FORMAT = 1;

/** What a plan said when its files had a certain digest. Only ever a saving of time: whatever is wrong with it, the files are read again. */
export interface PlanCache {
  get(digest: string): ParsedPlan | null;
  put(digest: string, parsed: ParsedPlan): Promise<void>;
}

export function openPlanCache(path: string): PlanCache {
  return {
    get(digest) {
      const text = readRegular(path);
      const feed = text?.indexOf('\n') ?? -1;
      const body = text?.slice(feed + 1) ?? '';
      return text !== null && feed > 0 && text.slice(0, feed) === headerOf(digest, body) ? parsedOf(body) : null;
    },
    async put(digest, parsed) {
      const body = JSON.stringify(parsed);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeAtomic(path, `${headerOf(digest, body)}\n${body}`);
      } catch {
        // A full disk or a folder that cannot be written costs the time of the next reading, no more.
      }
    },
  };
}

/** Damage anywhere makes another one. */
function headerOf(digest: string, body: string): string {
  return JSON.stringify({ format: FORMAT, digest, body: digestOf(body) });
}

function parsedOf(body: string): ParsedPlan | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
