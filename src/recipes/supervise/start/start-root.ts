import { join } from 'node:path';
import { openSystemClock } from '../../../store/clock-system.ts';
import { openFileJournal } from '../../../store/journal-file.ts';
import { clearWait } from '../task-folder/wait-marker.ts';
import { openScope, type Scope } from '../../../kit/async/scope.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { checkAgent } from '../../../settings/check-agent.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { explaining } from '../../../kit/files/explaining.ts';
import { findings } from '../../../settings/findings.ts';
import { newRunId } from '../../../store/run-home.ts';
import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { thisWriter } from '../../../runs/this-writer.ts';
import { VERSION } from '../../../kit/files/version.ts';
import { withWall } from '../../../runs/sandbox/choose-wall.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { holdTask, makeTaskFolder, taskRunsFolder } from '../../../store/hold-task-folder.ts';
import { type RootPlace, rootPlace } from '../../../store/root-place.ts';
import { jobSettings, needsPrompt, promptAsNamed, superviseSettings } from './root-settings.ts';
import type { JobWish, RootWish, SuperviseWish } from './root-wish.ts';
import { readTaskFiles } from './task-files.ts';

/** Keeps a root agent going until its task folder says DONE. */
export function startSupervise(options: RunOptions & SuperviseWish): Promise<FinishedRun> {
  return startRoot(options, async (place) => {
    const { settings: file, sources } = await loadSettings(place.cwd);
    const wanted = superviseSettings(file, options, place);
    const { prompt, dependsOn, keep } = await readTaskFiles(place.folder, {
      prompt: promptAsNamed(options.prompt, options.cwd),
      dependsOn: options.supervise.dependsOn ?? [],
      needsPrompt: needsPrompt(wanted),
    });
    const settings = { ...wanted, prompt, supervise: wanted.supervise && { ...wanted.supervise, dependsOn: [...dependsOn] } };
    return { sources, settings, run: null, keep };
  });
}

/** One life of an agent, with the runs it asks for. */
export function startJob(options: RunOptions & JobWish): Promise<FinishedRun> {
  return startRoot(options, async (place) => {
    const { settings: file, sources } = await loadSettings(place.cwd);
    const settings = jobSettings(file, options, place);
    if (options.prompt === null && needsPrompt(settings)) throw noPrompt();
    return { sources, settings, run: options.run, keep: async () => undefined };
  });
}

interface Wanted {
  readonly settings: RunSettings;
  readonly sources: readonly string[];
  /** The id it was given by who started it. */
  readonly run: string | null;
  /** Writes down in the task folder what later starts want to know. */
  readonly keep: () => Promise<void>;
}

function startRoot(options: RunOptions & RootWish, want: (place: RootPlace) => Promise<Wanted>): Promise<FinishedRun> {
  return explaining(async () => {
    await using scope = openScope();
    const clock = openSystemClock();
    const place = await rootPlace(options, clock.nowMs());
    const { settings: asked, sources, run: given, keep } = await want(place);
    const { workspace, settings } = await openFitWorkspace(options, asked, place, scope);
    const run = given ?? newRunId(clock.nowMs());
    await holdTask(settings, run, scope);
    await keep();
    // Whoever starts it wants it to go: what an earlier one waited for is over.
    if (settings.recipe === 'supervise') await clearWait(place.folder);
    const runFolder = join(taskRunsFolder(place.folder), run);
    await makeTaskFolder(place.folder, join(runFolder, 'inbox'), 0o700);
    const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
    scope.defer(() => journal.close());
    const found = await findings(workspace, settings);
    const opening = { type: 'run.started' as const, run, ralph: VERSION, cwd: place.cwd, origin: options.cwd, settings, found, writer: thisWriter() };
    const { goOn } = await import('../../../runs/go-on.ts');
    return await goOn({ workspace, runFolder, journal, clock, settings, options, opening: { ...opening, sources: [...sources] } });
  });
}

interface FitWorkspace {
  readonly workspace: Workspace;
  /** With the wall that is to be up. */
  readonly settings: RunSettings;
}

/** Refuses what could never be done, while nothing is written yet. */
async function openFitWorkspace({ requireProof, checks }: RootWish, asked: RunSettings, { cwd }: RootPlace, scope: Scope): Promise<FitWorkspace> {
  if (requireProof && checks.length === 0) throw noProof();
  const workspace = await openWorkspace(cwd, scope);
  const settings = await withWall(asked, workspace);
  await checkAgent(settings, { ...workspace, env: { ...workspace.env, ...settings.supervise?.env } });
  await workspace.prepare();
  return { workspace, settings };
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'this run has no check, so nothing could prove that it is done', {
    hint: 'Add one with --check "npm test", or leave --require-proof out.',
    exitCode: 2,
  });
}

function noPrompt(): OperatorError {
  return new OperatorError('usage', 'must specify prompt (--prompt or --prompt-file)', {
    hint: 'For example: ralph job -p "Write the tests" --agent claude',
    exitCode: 2,
  });
}
