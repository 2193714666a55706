import { readdir } from 'node:fs/promises';
import { readRunBrief } from '../../../store/runs/run-brief.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { howToResume } from '../../../journal/words/how-to-resume.ts';
import { stateOfRun } from '../../../runs/manage/state-of-run.ts';

/** Older ones are not asked. */
const MOST_RUNS = 200;

/**
 * What the last run on these stories knows of them: the commits of each. One that was killed while an agent was at work has not looked at what
 * that agent wrote; a new run would believe it.
 */
export async function carriedOver(runsFolder: string, { home, plan, branch }: Pick<StoriesSpec, 'home' | 'plan' | 'branch'>): Promise<StoriesSpec['carried']> {
  const runs = (await readdir(runsFolder).catch(() => [])).sort().reverse().slice(0, MOST_RUNS);
  for (const run of runs) {
    const brief = await readRunBrief(runsFolder, run);
    if (brief?.kind !== 'run' || brief.recipe !== 'stories') continue;
    const state = await stateOfRun(brief);
    const spec = state?.run?.settings.stories;
    // A list of another branch has other stories, whatever they are called.
    if (!state || spec?.home !== home || spec.plan !== plan || spec.branch !== branch) continue;
    if (isUnsettled(state)) throw unsettled(run);
    return Object.fromEntries(Object.entries(state.stories.looks === 0 ? spec.carried : state.stories.ranges).map(([id, ranges]) => [id, [...ranges]]));
  }
  return {};
}

/** An agent may have written what nobody has judged. */
function isUnsettled({ open }: RunState): boolean {
  return open.some(({ attempts, turn }) => attempts > 0 && turn !== null && turn.recorded === null);
}

function unsettled(run: string): OperatorError {
  return new OperatorError('run-unsettled', `run ${run} was killed while an agent was at work on these stories, and nobody has looked at what it wrote`, {
    hint: `Continue it with: ${howToResume(run)}`,
    exitCode: 2,
  });
}
