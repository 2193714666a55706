import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openScope } from '../../kit/async/scope.ts';
import { explaining } from '../../kit/files/explaining.ts';
import { withGit } from '../../workspace/check-base.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { type FoundPlan, findPlan } from './find-plan.ts';

/** The plan that somebody in this directory means, and of what kind it is: stories are worked on in another way than tasks. */
export function whichPlan(directory: string, wanted: string | null): Promise<FoundPlan> {
  return explaining(async () => {
    await using scope = openScope();
    const cwd = await realpath(directory);
    const { topLevel } = withGit(await openWorkspace(cwd, scope));
    return await findPlan(topLevel, wanted === null ? null : resolve(cwd, wanted));
  });
}
