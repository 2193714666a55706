import { basename, dirname } from 'node:path';
import { buildRootPrompt } from '../root-prompt.ts';
import type { BusMessage } from '../../../journal/bus-message.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import { previousLife } from './previous-life.ts';

export type RootAsked = Pick<RunAgent, 'iteration' | 'failures' | 'previous_life'>;
export type RootWorld = Pick<Ports, 'agent' | 'place' | 'settings' | 'supervision'>;

/** Far enough back for the question of an answer to be among them. */
const MESSAGES_READ = 200;
/** Each is told with its first thousand letters: more than this is somebody's log. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The prompt of one life of a supervised agent: the operator's text, and all that is known around it. */
export async function rootPromptOf(effect: RootAsked, supervise: SuperviseSpec, ports: RootWorld, text: string): Promise<string> {
  const { settings } = ports;
  return buildRootPrompt({
    agent: settings.recipe === 'job' ? 'child' : 'root',
    project: supervise.project,
    task: supervise.task,
    run: basename(ports.place.runFolder),
    folder: supervise.folder,
    variables: variablesOf(supervise, ports),
    text,
    life: effect.iteration,
    maximum: supervise.maxRestarts,
    checks: settings.gates.map(({ command }) => command),
    previous: effect.previous_life && (await previousLife(effect.previous_life, ports)),
    messages: await lastMessages(ports),
    failures: effect.failures,
  });
}

/** A bus that cannot be read keeps nobody from working. */
async function lastMessages({ supervision }: RootWorld): Promise<readonly BusMessage[]> {
  return (await supervision?.taskBus.last(MESSAGES_READ, MOST_BYTES).catch(() => [])) ?? [];
}

/** As they stand in the agent's environment, for agents whose tools do not see it. The door is for `ralph` alone. */
function variablesOf(
  { project, task, folder, parent }: SuperviseSpec,
  { place: { runFolder }, supervision }: RootWorld,
): readonly (readonly [string, string])[] {
  return [
    ['TASK_FOLDER', folder],
    ['RALPH_PROJECT_ID', project],
    ['RALPH_TASK_ID', task],
    ['RALPH_RUN_ID', basename(runFolder)],
    ...(parent === null ? [] : [['RALPH_PARENT_RUN_ID', parent] as const]),
    ['RALPH_RUNS_DIR', dirname(runFolder)],
    ...(supervision ? [['RALPH_MESSAGE_BUS', supervision.taskBus.path] as const] : []),
    ['RALPH_TASK_FOLDER', folder],
    ['RALPH_RUN_FOLDER', runFolder],
  ];
}
