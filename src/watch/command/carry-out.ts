import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instruction, instructionText } from '../../journal/words/instruction.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { agentName, agentsIn } from '../../limits/agents.ts';
import { answerQuestion } from '../../people/answers/answer-question.ts';
import { answerLines } from '../../people/answers/command/answer.ts';
import { io, OPERATOR_VARIABLE, whoIsThere, withIo } from '../../process/io.ts';
import { startDetached } from '../../process/start-detached.ts';
import { acceptCommand } from '../../proof/command/accept.ts';
import { askLines, stopLines } from '../../runs/command/runs.ts';
import { findActiveRun } from '../../runs/manage/active-run.ts';
import { findRun, stateOfRun, unreadable } from '../../runs/manage/find-run.ts';
import { isActive } from '../../runs/manage/leave-message.ts';
import { sendAbort, sendInstruction, sendRequest } from '../../runs/manage/send-request.ts';
import { stopRun } from '../../runs/manage/stop-run.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import type { WatchAction } from '../view/watch-keys.ts';

interface Operator {
  /** Where the run is looked for. */
  readonly cwd: string;
  /** Who asks, for the journal; null: as the commands write it. */
  readonly by: string | null;
}

/** A loop reads its inbox every half second; on a loaded machine it takes longer. */
const READ_TIMEOUT_MS = 20_000;
const EVERYWHERE = { root: null, project: null, task: null };

/** Returns what became of it, in one line. Every action goes through the run's inbox, as those of the commands do. */
export async function carryOut(action: WatchAction, { cwd, by }: Operator): Promise<string> {
  const { run } = action;
  const who = by ?? whoIsThere();
  switch (action.kind) {
    case 'answer':
      return answerLines(await answerQuestion({ cwd, run, task: action.task, answer: action.text, by: who, later: true, timeoutMs: READ_TIMEOUT_MS })).join(
        ' ',
      );
    case 'accept':
      return await accept(run, action.task, { cwd, by });
    case 'instruct':
      return await instruct(await readableRun(run, cwd), action.instruction, who);
    case 'resume':
      return await continueInBackground(await readableRun(run, cwd), ['runs', 'resume', run], { cwd, by });
    case 'stop':
      return await stop(run, cwd, who);
    case 'pause':
    case 'go-on':
    case 'drain': {
      const brief = await findActiveRun(cwd, run, EVERYWHERE);
      const lines = askLines(run, action.kind, await sendRequest(brief, action.kind, READ_TIMEOUT_MS, by ?? undefined));
      // Whoever watches has a button or a key for it.
      return lines.join(' ').replace(/ Continue it with: .+/, '');
    }
  }
}

async function readableRun(run: string, cwd: string): Promise<RunSummary> {
  const { sight } = await findRun(cwd, run, EVERYWHERE);
  if (sight.kind === 'unreadable') throw unreadable(sight);
  return sight;
}

/** Through the inbox, so that the journal tells who it was. A loop that does not read it gets a signal. */
async function stop(run: string, cwd: string, by: string): Promise<string> {
  const entry = await findRun(cwd, run, EVERYWHERE);
  if (entry.state === 'running' && entry.sight.kind === 'run') await sendAbort(entry.sight, by, READ_TIMEOUT_MS / 4);
  return stopLines(run, await stopRun(await findRun(cwd, run, EVERYWHERE), { force: false, timeoutMs: READ_TIMEOUT_MS })).join(' ');
}

async function instruct(brief: RunSummary, instruction: Instruction, by: string): Promise<string> {
  await refuseUnknown(brief, instruction);
  const result = await sendInstruction(brief, { instruct: instruction, by }, READ_TIMEOUT_MS);
  const what = instructionText(instruction).replace(/\.$/, '');
  if (result === 'heard') return `Run ${brief.run} has received it: ${what}.`;
  if (result === 'kept' && instruction.kind === 'again')
    return `${what}: ${await continueInBackground(brief, ['runs', 'resume', brief.run], { cwd: brief.cwd, by })}`;
  if (result === 'kept') return `Run ${brief.run} is not running, and reads it when it is resumed: ${what}.`;
  if (result === 'refused') return `Run ${brief.run} was started by a version of ralph that does not support this.`;
  return `Run ${brief.run} has not read it yet; it is in its inbox: ${what}.`;
}

/** A run can only use the agents that it was started with, and the tasks of its plan. */
async function refuseUnknown(brief: RunSummary, instruction: Instruction): Promise<void> {
  const settings = (await stateOfRun(brief))?.run?.settings;
  if (settings === undefined) return;
  const names = agentsIn(settings).map(agentName);
  if (instruction.kind === 'again' && instruction.agent !== null && !names.includes(instruction.agent))
    throw new OperatorError('agent-unknown', `run ${brief.run} has no agent "${instruction.agent}"`, {
      hint: `It can use ${names.join(', ')}. More can be named at the start, with --fallback.`,
      exitCode: 2,
    });
  if (instruction.kind === 'skip' && !factsOf(settings).hasItems)
    throw new OperatorError('usage', `run ${brief.run} has no plan, so there is no task to skip`, { hint: 'Stop it instead.', exitCode: 2 });
}

/** A run that has stopped goes on with it, in the background. */
async function accept(run: string, task: string | null, { cwd, by }: Operator): Promise<string> {
  const { state } = await findRun(cwd, run, EVERYWHERE);
  const about = task === null ? [] : ['--task', task];
  if (state !== 'running') return await continueInBackground(await readableRun(run, cwd), ['accept', run, ...about, '--quiet'], { cwd, by });
  const said = await whatIsSaid(cwd, () => acceptCommand(run, { quiet: true, ...(task !== null && { task: [task] }) }), named(by));
  return said.trim().split('\n').at(-1) || 'Accepted.';
}

const BEGIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** As if somebody had typed it where the run was started: it outlives whoever watches. */
async function continueInBackground(brief: RunSummary, args: readonly string[], { cwd, by }: Operator): Promise<string> {
  const logFile = join(brief.folder, `continued-${Date.now()}.log`);
  const place = [brief.origin, brief.cwd].find((folder) => folder !== '' && existsSync(folder)) ?? cwd;
  const started = await startDetached({
    ...{ file: process.execPath, args: [packagePath('dist', 'cli', 'main.js'), ...args], cwd: place, env: { ...environment(), ...named(by) } },
    ...{ marker: 'ralph-continued', logFile },
  });
  if (started.kind === 'never-started') return `It could not be started: ${started.message}`;
  const code = await Promise.race([started.ended, untilAtWork(brief)]);
  if (code === 'at work' || code === 0) return `Run ${brief.run} continues in the background; its output is in ${logFile}`;
  return `Run ${brief.run} did not go on for long (exit code ${code}); its output is in ${logFile}`;
}

async function untilAtWork(brief: RunSummary): Promise<'at work'> {
  const untilMs = performance.now() + BEGIN_MS;
  while (!(await isActive(brief)) && performance.now() < untilMs) await sleep(LOOK_EVERY_MS, undefined, { ref: false });
  return 'at work';
}

/** For a command that journals who it was. */
const named = (by: string | null): Readonly<Record<string, string>> => (by === null ? {} : { [OPERATOR_VARIABLE]: by });

/** What a command prints on standard output. */
export async function whatIsSaid(cwd: string, command: () => Promise<unknown>, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const texts: string[] = [];
  const outer = io();
  const stdout = Object.assign(Object.create(outer.stdout) as NodeJS.WriteStream, { write: (text: string) => texts.push(text) > 0 });
  await withIo({ ...outer, cwd: () => cwd, env: { ...outer.env, ...env }, stdout }, command);
  return texts.join('');
}
