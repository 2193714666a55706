import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_VARIABLE, storeUrl } from '../../../fleet/store-url.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { howToResume } from '../../../journal/words/outcome.ts';
import type { StoryPlan } from '../../../journal/words/story.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { pathExists } from '../../../kit/files/read.ts';
import { OperatorError, withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { agentsIn } from '../../../limits/agents.ts';
import { acceptPersonalEdits } from '../../../plans/review/accept-personal-edits.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import { stateOfRun } from '../../../runs/manage/find-run.ts';
import { preflight } from '../../../runs/preflight/preflight.ts';
import { type FinishedRun, type RunOptions, warnFunctionOf } from '../../../runs/run-options.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { withAgents, withUsableAgents } from '../../../settings/agent-list.ts';
import { checkAgent } from '../../../settings/agent-of.ts';
import { withAgentsOnPath } from '../../../settings/agents-on-path.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { factsOf, storiesSpecOf } from '../../../settings/schema/recipe-facts.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { newRunId } from '../../../store/run-home.ts';
import { readRunSummary } from '../../../store/runs/run-summary.ts';
import { refuseAgents, refuseDirt, withGit } from '../../../workspace/check-base.ts';
import type { GitCli } from '../../../workspace/git/git-cli.ts';
import { gitAt } from '../../../workspace/git/plain-repository.ts';
import { readPlanFile } from '../../../workspace/stories/git-story-plan-file.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { foreignMarker } from '../projections/foreign-marker.ts';
import type { StoriesSettings } from '../story-turn.ts';
import { markerOf } from './open-stories.ts';
import { STORIES_DEFAULTS, type StoriesRequest } from './stories-request.ts';
import { storySettings } from './story-settings.ts';

/** Works on a list of stories in place, until every one of them is reviewed and approved. */
export function startStories(options: RunOptions & StoriesRequest): Promise<FinishedRun> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const cwd = await realpath(options.cwd);
    const workspace = await openWorkspace(cwd, scope);
    refuseAgents(workspace);
    const git = withGit(workspace);
    await refuseStore(workspace, cwd);
    // Checked first: while another run is active here, the files are in no state to be judged.
    await workspace.refuseBusy();
    const before = await checkedSettings({ ...options, cwd }, workspace, git);
    const agents = await preflight(before.settings, workspace, options);
    const clock = openSystemClock();
    const run = newRunId(clock.nowMs());
    await workspace.hold(run);
    refuseForeignMarker(git.topLevel);
    // An existing branch has a list of its own, and only that counts.
    const isElsewhere = await onItsBranch(workspace, git, before.settings.stories.branch, options.createBranch);
    const { settings: fit, sources } = isElsewhere ? await checkedSettings({ ...options, cwd, createBranch: false }, workspace, git) : before;
    const settings = withAgents(await withCarriedOver(fit, workspace), agentsIn(agents));
    return await beginRun({ run, workspace, clock, options, settings, sources }, scope);
  });
}

interface CheckedSettings {
  readonly settings: StoriesSettings;
  readonly sources: readonly string[];
}

/** Refuses impossible settings before anything is written. */
async function checkedSettings(options: RunOptions & StoriesRequest, workspace: Workspace, git: GitCli): Promise<CheckedSettings> {
  const { cwd, plan: path, said } = options;
  const home = git.topLevel;
  const rules = { cap: said.reviewCap ?? STORIES_DEFAULTS.reviewCap, skipReview: said.skipReview ?? STORIES_DEFAULTS.skipReview };
  const plan = await checkedStories(home, path, rules);
  await refuseIgnored(workspace, git, path);
  if (!options.createBranch) await onItsBranch(workspace, git, plan.branchName, false);
  await refuseDirt(git, options.allowDirty, 'they become part of the first commit');
  const { settings: written, sources } = await loadSettings(cwd);
  const file = await withAgentsOnPath(written, options.over, cwd);
  const settings = await withSandbox(storySettings(file, options, { cwd, home, plan }), workspace);
  if ((options.over.requireProof || file.requireProof) && settings.gates.length === 0 && rules.skipReview) throw noProof();
  const usable = await withUsableAgents(settings, workspace, warnFunctionOf(options));
  await checkReviewer(usable, workspace);
  if (settings.proof?.sealed !== undefined) (await import('../../../proof/prove/sealed-folder.ts')).checkSealed(settings, git);
  await warnOfMissingFiles(home, settings.stories.folder, warnFunctionOf(options));
  return { settings: usable, sources };
}

/** Only once no other run is active: an active run looks like one that was killed. */
async function withCarriedOver(settings: StoriesSettings, { home }: Workspace): Promise<StoriesSettings> {
  const { stories } = settings;
  return { ...settings, stories: { ...stories, carried: await carriedOver(home.runsFolder, stories) } };
}

async function checkReviewer({ fallback: _, ...settings }: StoriesSettings, workspace: Workspace): Promise<void> {
  const agent = settings.stories.reviewAgent;
  if (agent === null) return;
  await checkAgent({ ...settings, agent }, workspace);
}

/** Two machines would work on the same stories, each for itself. */
async function refuseStore({ env }: Workspace, cwd: string): Promise<void> {
  if (storeUrl({ flag: null, env, setting: (await loadSettings(cwd)).settings.store?.url }) === null) return;
  const source = env[STORE_VARIABLE] ? STORE_VARIABLE : 'store.url';
  throw new OperatorError('usage', `${source} names a store, and machines cannot share the stories of a tasks.json`, {
    hint: `Work on them on one machine, without ${source}, or write a task-graph.yaml.`,
    exitCode: 2,
  });
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'nothing but its claim would prove a story: there is no verify command, and --skip-review turns the review off', {
    hint: 'Add verifyCommands to the list, or --check "npm test".',
    exitCode: 2,
  });
}

/** Another loop on stories, of any implementation, is running here: two would undo each other's work. */
function refuseForeignMarker(home: string): void {
  const other = foreignMarker(markerOf(home), Date.now());
  if (other === null) return;
  throw new OperatorError('workspace-busy', `another loop is running in this directory (pid ${other.pid}), according to .ralph-active`, {
    hint: 'Wait for it or stop it. If no loop is running, remove .ralph-active.',
    exitCode: 4,
  });
}

/** Older runs are not read. */
const MOST_RUNS = 200;

/**
 * What the last run on these stories knows of them: the commits of each story. If that run was killed while an agent was running, nobody has judged what
 * the agent wrote, and a new run would trust it.
 */
async function carriedOver(runsFolder: string, { home, plan, branch }: Pick<StoriesSpec, 'home' | 'plan' | 'branch'>): Promise<StoriesSpec['carried']> {
  const runs = (await readdir(runsFolder).catch(() => [])).sort().reverse().slice(0, MOST_RUNS);
  for (const run of runs) {
    const brief = await readRunSummary(runsFolder, run);
    if (brief?.kind !== 'run' || !factsOf(brief).hasStories) continue;
    const state = await stateOfRun(brief);
    const spec = storiesSpecOf(state?.run?.settings);
    // The list of another branch has other stories, even if their ids are the same.
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
  return new OperatorError('run-unsettled', `run ${run} was killed while an agent was working on these stories, and its changes were not checked`, {
    hint: `Continue it with: ${howToResume(run)}`,
    exitCode: 2,
  });
}

interface Rules {
  readonly cap: number;
  readonly skipReview: boolean;
}

/** Refuses an unusable list before anything is written. */
async function checkedStories(home: string, path: string, rules: Rules): Promise<StoryPlan> {
  const { plan, problem } = acceptPersonalEdits(null, await readPlanFile({ topLevel: home, plan: path, planPath: join(home, path) }), rules);
  if (plan !== null) return plan;
  throw refused('plan-broken', `${path} ${problem ?? 'cannot be used'}`, 'ralph plan check shows everything that is wrong with it.');
}

/** An ignored file is in no commit, so no history would show who approved what. */
async function refuseIgnored({ env }: Workspace, git: GitCli, path: string): Promise<void> {
  const { code } = await gitAt(git.topLevel, env)(['check-ignore', '--quiet', '--', path]);
  if (code === 0)
    throw refused('plan-ignored', `git ignores ${path}, so its history could not show what was approved`, 'Remove it from .gitignore and commit it.');
}

/** All work happens on the branch of the list. With `createBranch` it is checked out, and created if it is missing. True: the files are now those of another branch. */
async function onItsBranch({ env }: Workspace, git: GitCli, branch: string, createBranch: boolean): Promise<boolean> {
  const here = gitAt(git.topLevel, env);
  const now = (await here(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
  if (now === branch) return false;
  const isThereAlready = (await here(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])).code === 0;
  const words = isThereAlready ? ['switch', branch] : ['switch', '--create', branch];
  const what = `the stories belong to branch ${branch}, but ${now === '' ? 'no branch' : now} is checked out`;
  if (!createBranch) throw refused('wrong-branch', what, `Start with --create-branch, or run: git ${words.join(' ')}`);
  const { code, stderr } = await here(words, {});
  if (code !== 0)
    throw refused('wrong-branch', `${what}; git cannot switch to it: ${stderr.trim().split('\n')[0] ?? ''}`, 'Fix that, or check it out yourself.');
  return isThereAlready;
}

/** Warns when one of the seed's two optional files is missing. */
async function warnOfMissingFiles(home: string, folder: string, warn: (text: string) => void): Promise<void> {
  for (const [name, instead] of [
    ['prd.md', 'agents know only the requirements in the stories'],
    ['prompt.md', 'the built-in prompt is used'],
  ] as const)
    if (!(await pathExists(join(home, folder, name)))) warn(`there is no ${folder}/${name}: ${instead}`);
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}
