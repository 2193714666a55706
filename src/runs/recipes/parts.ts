import type { Projection } from '../../engine/contracts.ts';
import type { Recipe } from '../../engine/decide/recipe.ts';
import type { Scope } from '../../kit/async/scope.ts';
import type { Root } from '../../recipes/supervise/start/open-root.ts';
import type { RecipeScreen } from '../../report/console/recipe-screen.ts';
import type { Mask } from '../../sandbox/environment/open-mask.ts';
import type { RecipeName, RunSettings } from '../../settings/schema/run-settings.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OpenedRun } from '../opened-run.ts';
import type { RecipePorts, RunHandles } from '../run-handles.ts';
import { warnFunctionOf } from '../run-options.ts';

// The only place that chooses a recipe. A recipe's code is loaded only by the runs that use it.

export type { Root } from '../../recipes/supervise/start/open-root.ts';

const RECIPES: Readonly<Record<RecipeName, () => Promise<Recipe>>> = {
  run: async () => (await import('../../recipes/run/run.ts')).run,
  loop: async () => (await import('../../recipes/run/run.ts')).loop,
  supervise: async () => (await import('../../recipes/supervise/supervise.ts')).supervise,
  job: async () => (await import('../../recipes/supervise/job.ts')).job,
  work: async () => (await import('../../recipes/work/work.ts')).work,
  stories: async () => (await import('../../recipes/review/stories.ts')).stories,
};

export async function recipeOf({ recipe }: RunSettings): Promise<Recipe> {
  return await RECIPES[recipe]();
}

/** What a recipe adds to the console. */
export async function screenOf(recipe: RecipeName): Promise<RecipeScreen> {
  switch (recipe) {
    case 'run':
      return (await import('../../report/console/recipe-screen.ts')).plainScreen;
    case 'loop':
      return (await import('../../recipes/run/console/loop-screen.ts')).loopScreen;
    case 'supervise':
    case 'job':
      return (await import('../../recipes/supervise/console/supervise-screen.ts')).superviseScreen;
    case 'work':
      return (await import('../../recipes/work/console/work-screen.ts')).workScreen;
    case 'stories':
      return (await import('../../recipes/review/console/stories-screen.ts')).storiesScreen;
  }
}

/** The task of a supervised run and its buses; null for all others. */
export async function rootOf(settings: RunSettings, scope: Scope): Promise<Root | null> {
  if (!('supervise' in settings)) return null;
  const { openTaskBuses } = await import('../../recipes/supervise/start/open-supervision.ts');
  return { spec: settings.supervise, buses: openTaskBuses(settings.supervise, scope) };
}

/** The projections of a recipe, beside those of every run. */
export async function projectionsOf(openedRun: OpenedRun, root: Root | null, mask: Mask): Promise<readonly Projection[]> {
  const { settings, clock, options } = openedRun;
  if (root !== null) return await busOf(openedRun, root, mask);
  if ('work' in settings) {
    const { workLogProjections: workViews } = await import('../../recipes/work/logs/work-status.ts');
    return workViews(settings.work, { nowMs: clock.nowMs, warn: warnFunctionOf(options) });
  }
  return 'stories' in settings ? (await import('../../recipes/review/start/open-stories.ts')).storyProjections(openedRun, settings.stories) : [];
}

/** Posts what the run does on the bus of its task. */
async function busOf({ runFolder, workspace }: OpenedRun, root: Root, mask: Mask): Promise<readonly Projection[]> {
  const [{ postOnTaskBus }, { maskedBus }] = await Promise.all([
    import('../../recipes/supervise/task-folder/task-bus.ts'),
    import('../../sandbox/environment/open-mask.ts'),
  ]);
  const place = { markerPrefix: '', workspace: workspace.cwd, runFolder, viewFolder: workspace.home.viewFolder };
  return [postOnTaskBus(maskedBus(root.buses.taskBus, mask.hide), place)];
}

/** Opens what only this recipe needs. */
export async function openRecipe(openedRun: OpenedRun, root: Root | null, at: RunHandles): Promise<Partial<RecipePorts>> {
  const { settings } = openedRun;
  if (root !== null) return await (await import('../../recipes/supervise/start/open-root.ts')).openRoot(openedRun, root, at);
  if ('work' in settings) return await (await import('../../recipes/work/start/open-plan-ports.ts')).openPlanPorts(openedRun, settings.work, at);
  return 'stories' in settings ? await (await import('../../recipes/review/start/open-stories.ts')).openStories(openedRun, settings.stories, at) : {};
}

/** Runs before a resumed run locks its workspace again. */
export async function prepareResume(workspace: Workspace, settings: RunSettings): Promise<void> {
  if (!('work' in settings)) return await workspace.prepare();
  await (await import('../../recipes/work/start/prepare-home.ts')).prepareHomeAgain(workspace, settings);
}

/** Removes the agent's request not to be restarted: a resume overrides it. */
export async function forgetWait(settings: RunSettings): Promise<void> {
  if (settings.recipe !== 'supervise') return;
  await (await import('../../recipes/supervise/task-folder/wait-marker.ts')).clearWait(settings.supervise.folder);
}
