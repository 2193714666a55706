import { dirname, join } from 'node:path';
import { makeFoldersBelow } from '../../../kit/files/make-folder.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { writeAtomic } from '../../../kit/files/write-atomic.ts';
import { diskRefuses } from '../../../kit/pure/disk-error.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { PlanText } from '../../../engine/ports/story-ground.ts';
import { storiesOf } from './stories-of.ts';

type KeptBy = Pick<Ports, 'stories' | 'place'>;

interface OfAttempt {
  readonly iteration: number;
  readonly attempt: number;
}

/** The list of stories as an attempt left it. Kept before it is rewritten, so that a loop that dies over it forgets nothing that was said in it. */
export async function keepForm(ports: KeptBy, of: OfAttempt): Promise<PlanText> {
  const { runFolder } = ports.place;
  const file = fileOf(ports, of);
  const form = await storiesOf(ports).ground.readPlan();
  try {
    await makeFoldersBelow(runFolder, dirname(file), 0o700);
    await writeAtomic(file, `${JSON.stringify(form)}\n`);
  } catch (error) {
    throw diskRefuses(`the list of stories cannot be kept in ${runFolder} (${(error as Error).message})`, error);
  }
  return form;
}

/** What a loop that died had kept; null: nothing. Only for an attempt it had begun to settle: an agent may have written there in advance. */
export async function keptForm(ports: KeptBy, of: OfAttempt): Promise<PlanText | null> {
  const kept = await readText(fileOf(ports, of), 'refuse pipes');
  return kept.kind === 'text' ? formIn(kept.text) : null;
}

function fileOf({ place }: KeptBy, { iteration, attempt }: OfAttempt): string {
  return join(place.runFolder, 'iterations', String(iteration).padStart(3, '0'), `stories-after-${attempt}.json`);
}

function formIn(text: string): PlanText | null {
  try {
    const { kind, text: said, why } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (kind === 'text' && typeof said === 'string') return { kind, text: said };
    if (kind === 'refused' && typeof why === 'string') return { kind, why };
    return kind === 'missing' ? { kind } : null;
  } catch {
    return null;
  }
}
