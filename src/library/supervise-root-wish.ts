import { basename, dirname, resolve } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { checkAgainst } from '../settings/check-settings.ts';
import { projectId, taskId } from '../store/task-ids.ts';
import { taskBusFile } from '../recipes/supervise/start/open-supervision.ts';
import type { SuperviseWish } from '../recipes/supervise/start/root-wish.ts';
import { CheckedOptions } from './supervise-root-checked.ts';
import type { SuperviseOptions } from './supervise-root-options.ts';

/** Where the folder of a task lies, in the words of those who look for it. */
export interface TaskPlace {
  readonly root: string;
  readonly project: string;
  readonly task: string;
}

/** Refuses what cannot be, before anything is written. */
export function checkOptions(options: SuperviseOptions): CheckedOptions {
  return checkAgainst(CheckedOptions, options, (problem) => refusal(problem));
}

/** A run of this task is found by its path, also by its children and by those who look for it later: its names cannot be others. */
export function placeIn({ runDir, messageBus, projectId: project, taskId: task }: CheckedOptions): TaskPlace {
  const folder = resolve(runDir);
  const place = { root: dirname(dirname(folder)), project: projectId(basename(dirname(folder))), task: taskId(basename(folder)) };
  if ((project ?? place.project) !== place.project || (task ?? place.task) !== place.task)
    throw refusal(`runDir must end with ${projectId(project ?? place.project)}/${taskId(task ?? place.task)}, got ${folder}`);
  const bus = taskBusFile(folder);
  if (messageBus && resolve(messageBus) !== bus) throw refusal(`messageBus must be ${bus}, got ${messageBus}`);
  return place;
}

export function wishOf(options: CheckedOptions, place: TaskPlace): SuperviseWish {
  const { prompt, checks, runTimeout } = options;
  return {
    ...place,
    workIn: null,
    agent: 'runRoot',
    byFunction: true,
    command: [],
    agentKind: null,
    model: null,
    autonomy: null,
    prompt: prompt ? { from: 'text', text: prompt } : null,
    checks: checks ?? [],
    requireProof: false,
    idleMs: null,
    runMs: runTimeout ?? null,
    env: {},
    supervise: chosenIn(options),
  };
}

/** Only what was said: the rest has defaults of its own. */
function chosenIn(options: CheckedOptions): SuperviseWish['supervise'] {
  const { restartIntensity } = options;
  const all: { readonly [K in keyof SuperviseWish['supervise']]: SuperviseWish['supervise'][K] | null } = {
    maxRestarts: options.maxRestarts ?? null,
    restartDelayMs: options.restartDelay ?? null,
    backoffMs: options.backoff ?? null,
    intensity: restartIntensity ? { failures: restartIntensity.failures, withinMs: restartIntensity.within } : null,
    waitTimeoutMs: options.waitTimeout ?? null,
    pollMs: options.pollInterval ?? null,
    doneGraceMs: options.finishOnDone ?? null,
    waitScope: options.waitScope ?? null,
    killChildren: options.killChildren ?? null,
    dependsOn: options.dependsOn ?? null,
    failOnBlocked: options.failOnBlocked ?? null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'See the type SuperviseOptions, or docs/guide/as-a-library.md.', exitCode: 2 });
}
