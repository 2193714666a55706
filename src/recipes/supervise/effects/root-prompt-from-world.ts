import { basename, dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { addEvent, startSummary } from '../../../agents/attempt/attempt-summary.ts';
import { attemptFolder, attemptMarker } from '../../../engine/attempt-folder.ts';
import type { AgentRequest } from '../../../engine/ports/agent.ts';
import type { Ports, TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { BusMessage } from '../../../journal/messages.ts';
import type { AgentEvent } from '../../../journal/words/agent-event.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { buildRootPrompt } from '../root-prompt.ts';
import { type PreviousAgent, TAIL_CHARS } from '../root-prompt-history.ts';

export type RootPromptEffect = Pick<RunAgent, 'iteration' | 'failures' | 'previous_life' | 'answers'>;
export type RootPromptPorts = Pick<TaskFolderPorts, 'agent' | 'place' | 'settings' | 'supervision'>;

/** Enough to include the question that belongs to an answer. */
const MESSAGES_READ = 200;
/** Only the first thousand characters of a message are shown: anything larger than this is a log. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The prompt of a supervised agent: the operator's text and everything known around it. */
export async function rootPromptOf(effect: RootPromptEffect, ports: RootPromptPorts, text: string): Promise<string> {
  const { settings } = ports;
  const { supervise } = settings;
  return buildRootPrompt({
    agent: factsOf(settings).isRestarted ? 'root' : 'child',
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
    answers: effect.answers ?? [],
  });
}

/** An unreadable bus does not stop the work. */
async function lastMessages({ supervision }: RootPromptPorts): Promise<readonly BusMessage[]> {
  return await supervision.taskBus.last(MESSAGES_READ, MOST_BYTES).catch(() => []);
}

/** As in the agent's environment, for agents whose tools do not see it. The socket is left out: only `ralph` uses it. */
function variablesOf(
  { project, task, folder, parent }: SuperviseSpec,
  { place: { runFolder }, supervision }: RootPromptPorts,
): readonly (readonly [string, string])[] {
  return [
    ['TASK_FOLDER', folder],
    ['RALPH_PROJECT_ID', project],
    ['RALPH_TASK_ID', task],
    ['RALPH_RUN_ID', basename(runFolder)],
    ...(parent === null ? [] : [['RALPH_PARENT_RUN_ID', parent] as const]),
    ['RALPH_RUNS_DIR', dirname(runFolder)],
    ['RALPH_MESSAGE_BUS', supervision.taskBus.path],
    ['RALPH_TASK_FOLDER', folder],
    ['RALPH_RUN_FOLDER', runFolder],
  ];
}

type Life = NonNullable<RunAgent['previous_life']>;
type Known = Pick<Ports, 'agent' | 'place'>;

/** Twice as many code units as shown code points, so that no surrogate pair is cut. */
const KEPT_CHARS = 2 * TAIL_CHARS;

/** The last output of the previous agent, from its output file. Memory is bounded, whatever the agent printed. */
async function previousLife(life: Life, { agent, place }: Known): Promise<PreviousAgent> {
  const request = requestFor(life, place);
  const between = agent.outputFormat(request.output) === 'lines' ? '\n' : '\n\n';
  let summary = startSummary();
  let tail = '';
  const hear = (event: AgentEvent) => {
    summary = addEvent(summary, event);
    if (event.type !== 'message' || event.subagent !== undefined) return;
    tail += `${event.text.slice(-KEPT_CHARS)}${between}`;
    if (tail.length > 4 * KEPT_CHARS) tail = tail.slice(-KEPT_CHARS);
  };
  // A damaged output file costs the next agent this context, but does not stop the run.
  await agent.replay(request, hear).catch(() => null);
  const { error, terminal } = summary;
  return { tail: stripVTControlCharacters(tail), ended: error?.message ?? (terminal && turnEndText(terminal)) };
}

function turnEndText({ ok, reason }: { readonly ok: boolean; readonly reason: string }): string {
  return ok ? 'it ended its turn by itself' : `its turn ended with "${reason}"`;
}

/** Only reads the output file and its format: nothing is run. */
function requestFor(life: Life, place: Ports['place']): AgentRequest {
  return {
    prompt: '',
    output: 'events',
    marker: attemptMarker(place, life),
    cwd: place.workspace,
    folder: attemptFolder(place, { ...life, role: 'work' }),
    idleMs: 0,
    deadlineMs: 0,
    maxOutputBytes: 0,
    lingerMs: 0,
    budgetUsd: null,
  };
}
