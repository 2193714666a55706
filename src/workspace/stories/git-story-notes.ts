import { join } from 'node:path';
import { readRegular } from '../../kit/files/read-regular.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import type { WhyRewound } from './git-story-head.ts';
import type { StoryRepo } from './git-story-place.ts';

/** What a loop that dies over a settlement must not forget: it cannot be seen any more once it is put right. Nothing is left undone because of it. */
export interface SettleNotes {
  readonly keptRef: string;
  readonly leftovers: boolean;
  readonly undone: readonly string[];
  readonly rewound: WhyRewound | null;
  /** HEAD before our first commit; null: there was nothing to commit. */
  readonly parent: string | null;
  readonly hook: string | null;
}

const FILE = 'ralph-settled.json';

/** Null: nobody has settled under that ref. */
export function readNotes({ gitDir }: StoryRepo, keptRef: string): SettleNotes | null {
  try {
    const found = JSON.parse(readRegular(join(gitDir, FILE)) ?? 'null') as Partial<SettleNotes> | null;
    if (found?.keptRef !== keptRef || !Array.isArray(found.undone)) return null;
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const undone = found.undone.filter((path) => typeof path === 'string');
    return { keptRef, undone, leftovers: found.leftovers === true, rewound: reason(found.rewound), parent: text(found.parent), hook: text(found.hook) };
  } catch {
    return null;
  }
}

const reason = (value: unknown) => (['deleted', 'rewritten', 'left', 'apart'] as const).find((why) => why === value) ?? null;

export async function writeNotes({ gitDir }: StoryRepo, notes: SettleNotes): Promise<SettleNotes> {
  await writeAtomic(join(gitDir, FILE), `${JSON.stringify(notes)}\n`);
  return notes;
}
