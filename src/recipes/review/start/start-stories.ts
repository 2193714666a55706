import { realpath } from 'node:fs/promises';
import { openSystemClock } from '../../../store/clock-system.ts';
import type { GitCli } from '../../../workspace/git/git-cli.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import { checkAgent } from '../../../settings/check-agent.ts';
import { checkBudget } from '../../../settings/check-budget.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { explaining } from '../../../kit/files/explaining.ts';
import { newRunId } from '../../../store/run-home.ts';
import { type FinishedRun, type RunOptions, warner } from '../../../runs/run-options.ts';
import { withWall } from '../../../runs/sandbox/choose-wall.ts';
import { refuseAgents, refuseDirt, withGit } from '../../../workspace/check-base.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { checkedStories, onItsBranch, refuseIgnored, tellMissing } from './check-stories.ts';
import { carriedOver } from './earlier-runs.ts';
import { refuseForeignMarker } from './refuse-foreign-marker.ts';
import { STORIES_DEFAULTS, type StoriesWish } from './stories-wish.ts';
import { storySettings } from './story-settings.ts';

/** Works on a list of stories, in place, until every one of them is reviewed and approved. */
export function startStories(options: RunOptions & StoriesWish): Promise<FinishedRun> {
  return explaining(async () => {
    await using scope = openScope();
    const cwd = await realpath(options.cwd);
    const workspace = await openWorkspace(cwd, scope);
    refuseAgents(workspace);
    const git = withGit(workspace);
    // First of all: whoever is at work here leaves the files in no state to be judged.
    await workspace.refuseBusy();
    const before = await fitSettings({ ...options, cwd }, workspace, git);
    const clock = openSystemClock();
    const run = newRunId(clock.nowMs());
    await workspace.hold(run);
    refuseForeignMarker(git.topLevel);
    // A branch that was there already has a list of its own, and only that counts.
    const isElsewhere = await onItsBranch(workspace, git, before.settings.stories?.branch ?? '', options.createBranch);
    const { settings: fit, sources } = isElsewhere ? await fitSettings({ ...options, cwd, createBranch: false }, workspace, git) : before;
    const settings = await withWhatIsKnown(fit, workspace);
    return await beginRun({ run, workspace, clock, options, settings, sources }, scope);
  });
}

interface Fit {
  readonly settings: RunSettings;
  readonly sources: readonly string[];
}

/** Refuses what could never be done, while nothing is written yet. */
async function fitSettings(options: RunOptions & StoriesWish, workspace: Workspace, git: GitCli): Promise<Fit> {
  const { cwd, plan: path, said } = options;
  const home = git.topLevel;
  const rules = { cap: said.reviewCap ?? STORIES_DEFAULTS.reviewCap, skipReview: said.skipReview ?? STORIES_DEFAULTS.skipReview };
  const plan = await checkedStories(home, path, rules);
  await refuseIgnored(workspace, git, path);
  if (!options.createBranch) await onItsBranch(workspace, git, plan.branchName, false);
  await refuseDirt(git, options.allowDirty, 'they become part of the first commit');
  const { settings: file, sources } = await loadSettings(cwd);
  const settings = await withWall(storySettings(file, options, { cwd, home, plan }), workspace);
  if ((options.requireProof || file.requireProof) && settings.gates.length === 0 && rules.skipReview) throw noProof();
  await checkAgents(settings, workspace);
  await tellMissing(home, settings.stories?.folder ?? '', warner(options));
  return { settings, sources };
}

/** Asked once nobody else is at work: a run that lives looks like one that was killed. */
async function withWhatIsKnown(settings: RunSettings, { home }: Workspace): Promise<RunSettings> {
  const { stories } = settings;
  return stories === null ? settings : { ...settings, stories: { ...stories, carried: await carriedOver(home.runsFolder, stories) } };
}

async function checkAgents(settings: RunSettings, workspace: Workspace): Promise<void> {
  const reviewer = settings.stories?.reviewAgent ?? null;
  for (const agent of reviewer === null ? [settings.agent] : [settings.agent, reviewer]) {
    checkBudget({ ...settings, agent });
    await checkAgent({ ...settings, agent }, workspace);
  }
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'nothing but its claim would prove a story: there is no verify command, and --skip-review leaves the review out', {
    hint: 'Add verifyCommands to the list, or --check "npm test".',
    exitCode: 2,
  });
}
