import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readRegular } from '../../kit/files/read-regular.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { WorkSpec } from '../../settings/schema/work-spec.ts';

const PlanHome = z.object({ plan: WorkSpec.shape.plan, home: WorkSpec.shape.home });

/** Which plan is worked on, and the one work tree in which it is written. */
export type PlanHome = Readonly<z.infer<typeof PlanHome>>;

const fileOf = (commonDir: string) => join(commonDir, 'ralph', 'plan-home.json');

/** Told by the last `ralph work` of this repository; null when there was none, or when what lies there is not its word. */
export function readPlanHome(commonDir: string): PlanHome | null {
  const text = readRegular(fileOf(commonDir));
  if (text === null) return null;
  try {
    return PlanHome.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** For `ralph task` in every worktree of the repository. */
export async function writePlanHome(commonDir: string, home: PlanHome): Promise<void> {
  await mkdir(join(commonDir, 'ralph'), { recursive: true, mode: 0o700 });
  await writeAtomic(fileOf(commonDir), `${JSON.stringify(home)}\n`);
}
