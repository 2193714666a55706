import { dirname, join } from 'node:path';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { Plan } from '../../../journal/words/plan.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { makeFoldersBelow, writeAtomic } from '../../../kit/files/write.ts';
import { diskError } from '../../../kit/pure/operator-error.ts';

interface Moment {
  readonly iteration: number;
  /** The top of the worktree. */
  readonly path: string;
}

type Known = Pick<PlanPorts, 'work' | 'place'>;

/** The plan of a worktree before the agent starts, with which the agent's version is compared. Saved again, or kept as it was saved the first time. */
export async function planBefore(ports: Known, moment: Moment, how: 'anew' | 'once'): Promise<Plan | null> {
  return await keptPlan(ports, moment, { name: 'plan-before.json', how });
}

/** The plan as an attempt left it in its branch. Saved before it is reverted there, so that a loop that dies in between loses no claim. */
export async function planAfter(ports: Known, moment: Moment & { readonly attempt: number }): Promise<Plan | null> {
  return await keptPlan(ports, moment, { name: `plan-after-${moment.attempt}.json`, how: 'once' });
}

interface Keeping {
  readonly name: string;
  readonly how: 'anew' | 'once';
}

/** Null when no plan could be read. */
async function keptPlan(ports: Known, { iteration, path }: Moment, { name, how }: Keeping): Promise<Plan | null> {
  const { runFolder } = ports.place;
  const file = join(runFolder, 'iterations', String(iteration).padStart(3, '0'), name);
  const kept = how === 'once' ? await readText(file, 'refuse pipes') : null;
  if (kept?.kind === 'text') return JSON.parse(kept.text) as Plan | null;
  const plan = (await ports.work.planIn(path).read())?.plan ?? null;
  await keep(runFolder, file, `${JSON.stringify(plan)}\n`);
  return plan;
}

async function keep(runFolder: string, file: string, content: string): Promise<void> {
  try {
    await makeFoldersBelow(runFolder, dirname(file), 0o700);
    await writeAtomic(file, content);
  } catch (error) {
    throw diskError(`the plan of a worktree cannot be saved in ${runFolder} (${(error as Error).message})`, error);
  }
}
