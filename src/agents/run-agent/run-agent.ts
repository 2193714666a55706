import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFolder, attemptMarker, timeLeft } from '../../engine/attempt-folder.ts';
import type { EffectHandler, Report } from '../../engine/contracts.ts';
import { stopIfDiskIsFull } from '../../engine/disk-full.ts';
import type { AgentListener, AgentPort, AgentRequest } from '../../engine/ports/agent.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import { attemptId, type RunAgent } from '../../journal/effects/effect.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { linkSignal } from '../../kit/async/scope.ts';
import { readText } from '../../kit/files/read-text.ts';
import { makeFoldersBelow } from '../../kit/files/write.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import type { ProcessEnding } from '../../process/process-request.ts';
import { attemptEnded, judgesStory, promptUnreadable } from './attempt-ended.ts';
import { type AttemptOutput, openAttemptOutput } from './attempt-output.ts';
import type { UnreadablePrompt } from './prompt-file.ts';
import { knownEnd, openSigns, reserveShare, withQuota } from './quota-of-attempt.ts';

const MOST_LIMITS_REPORTED = 10;
/** One more than is shown, so that a cut can be seen. */
const PROMPT_HEAD_CHARS = 201;

/** Builds the prompt of an attempt; each recipe has its own. */
export type PromptOf = (effect: RunAgent, ports: Ports, report: Report) => Promise<string | UnreadablePrompt>;

/** One agent process with fresh context, from its prompt to the end of the last process it left running. */
export const runAgent = (promptOf: PromptOf): EffectHandler<RunAgent> => ({
  async perform(effect, ports, report, signal) {
    const startedMs = ports.clock.nowMs();
    const agent = agentFor(effect, ports);
    const known = await knownEnd(effect, agent, ports);
    if (known !== null) return known;
    const prompt = await promptOf(effect, ports, report);
    if (typeof prompt !== 'string') return promptUnreadable(effect, prompt);
    const share = await reserveShare(effect, ports);
    if ('type' in share) return share;
    const request = { ...requestOf(effect, ports, withNotes(prompt, effect.notes ?? [])), ...share };
    const attemptOutput = openOutput(request, agent, ports);
    const signs = openSigns();
    using link = linkSignal(signal);
    const unready = await prepare(request, ports);
    const wasChanged = await lookForSilentWork(effect, { ports, isPlain: agent.outputFormat(request.output) === 'lines' });
    const around = { ports, report, request, command: await agent.describe(request), giveUp: (why: string) => link.abort(why), onSign: signs.hear };
    const listeners = listener(effect, attemptOutput, around);
    const ending = unready ?? (await agent.run(request, listeners, link.signal));
    await stopIfDiskIsFull(ending, ports.place.runFolder);
    await tellChangedSettings(ports, report);
    const ended = attemptEnded(effect, ending, attemptOutput, {
      ports,
      durationMs: ports.clock.nowMs() - startedMs,
      isSealed: agent.judge?.isSealed === true,
      changedFiles: attemptOutput.summary.empty ? await wasChanged(ending, attemptOutput) : null,
    });
    return await withQuota({ ...ended, tree: await treeAfter(effect, ports) }, agent, signs.all(), ports);
  },

  /** The agent may have finished before that was journaled: its spool shows it, and its cost is not lost. */
  async find(effect, ports) {
    const folder = attemptFolder(ports.place, effect);
    const prompt = await readText(join(folder, 'prompt.md'), 'refuse pipes');
    if (prompt.kind === 'no-text') return null;
    const request = requestOf(effect, ports, prompt.text);
    const agent = agentFor(effect, ports);
    const attemptOutput = openOutput(request, agent, ports);
    const signs = openSigns();
    const replayed = await agent.replay(request, (event) => {
      attemptOutput.hear(event);
      signs.hear(event);
    });
    if (replayed === null) return null;
    const measured = { ports, durationMs: await lifeMs(folder), isSealed: agent.judge?.isSealed === true, changedFiles: null };
    const ended = attemptEnded(effect, { kind: 'lost' }, attemptOutput, measured);
    return await withQuota({ ...ended, tree: await treeAfter(effect, ports) }, agent, signs.all(), ports);
  },
});

/** How long a dead attempt worked, as its files show: from its prompt to the last thing that it printed. */
async function lifeMs(folder: string): Promise<number> {
  const writtenMs = async (name: string) => (await lstat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0;
  const begunMs = await writtenMs('prompt.md');
  return Math.max(0, ...(await Promise.all(['agent.jsonl', 'agent.stderr'].map(writtenMs))).map((atMs) => atMs - begunMs));
}

/** The prompt of every recipe ends with what people want its agent to know. */
function withNotes(prompt: string, notes: readonly string[]): string {
  return notes.length === 0 ? prompt : [prompt.trimEnd(), 'A person who follows this run tells you:', ...notes, ''].join('\n\n');
}

/** A story may be reviewed by another agent than the one that implements it. */
function agentFor(effect: RunAgent, { agent, fallback, stories }: Ports): AgentPort {
  if (effect.agent !== undefined) return fallback.get(effect.agent) ?? agent;
  return judgesStory(effect) ? (stories?.reviewer ?? agent) : agent;
}

function openOutput(request: AgentRequest, agent: AgentPort, { settings }: Ports): AttemptOutput {
  return openAttemptOutput({ prompt: request.prompt, speaks: agent.outputFormat(request.output), claims: settings.claims });
}

/** An agent that is asked for a commit message should change nothing; the tree shows whether it did. */
async function treeAfter({ role }: RunAgent, { git }: Ports): Promise<string | null> {
  return role === 'message' ? await git.tree() : null;
}

type WasChanged = (ending: ProcessEnding, attemptOutput: AttemptOutput) => Promise<boolean | null>;

/** An agent with a stream tells what it does. A plain command may work in silence, so its work tree is compared. */
async function lookForSilentWork(
  { role, cwd }: RunAgent,
  { ports: { git, work }, isPlain }: { readonly ports: Ports; readonly isPlain: boolean },
): Promise<WasChanged> {
  if (!isPlain) return async (ending, { wasSpawned }) => (ending.kind === 'never-started' || wasSpawned() ? false : null);
  const nameFiles = async () => (cwd === undefined ? await git.tree() : ((await work?.branches.filesOf(cwd)) ?? null));
  const before = role === 'work' ? await nameFiles() : null;
  return async () => {
    const after = before === null ? null : await nameFiles();
    return after === null ? null : after !== before;
  };
}

async function tellChangedSettings({ changedSettings }: Ports, report: Report): Promise<void> {
  const files = await changedSettings();
  if (files.length > 0) await report({ type: 'settings.seen', files: [...files] });
}

/** Null when everything is ready. Folders are made only below the run's folder: if an agent has removed that one, it is not made again. */
async function prepare({ folder }: AgentRequest, { place }: Ports): Promise<ProcessEnding | null> {
  try {
    await makeFoldersBelow(place.runFolder, folder, 0o700);
    return null;
  } catch (error) {
    return { kind: 'never-started', reason: 'other', message: `the attempt's folder cannot be made: ${(error as Error).message}` };
  }
}

function requestOf(effect: RunAgent, { place, clock, settings: { limits, scm } }: Ports, prompt: string): AgentRequest {
  const isQuestion = effect.role === 'message';
  return {
    prompt,
    output: isQuestion ? 'text' : 'events',
    marker: attemptMarker(place, effect),
    cwd: effect.cwd ?? place.workspace,
    ...(effect.work && { env: taskVariables(effect.work) }),
    folder: attemptFolder(place, effect),
    idleMs: limits.idleMs,
    deadlineMs: timeLeft(isQuestion && scm?.timeoutMs ? scm.timeoutMs : limits.iterationMs, effect.until, clock.nowMs()),
    maxOutputBytes: limits.outputBytes,
    lingerMs: limits.lingerMs,
    budgetUsd: effect.budget_usd,
    judges: judgesStory(effect),
  };
}

/** The fencing number proves that the caller holds the task now. */
function taskVariables({ task, n }: NonNullable<RunAgent['work']>): Readonly<Record<string, string>> {
  return { RALPH_TASK_ID: task.id, RALPH_TASK_FENCE: String(n) };
}

interface Listeners {
  readonly ports: Ports;
  readonly report: Report;
  readonly request: AgentRequest;
  readonly command: readonly string[];
  readonly giveUp: (why: string) => void;
  readonly onSign: (event: AgentEvent) => void;
}

function listener(effect: RunAgent, attemptOutput: AttemptOutput, { ports, report, request, command, giveUp, onSign }: Listeners): AgentListener {
  const attempt = attemptId(effect);
  const tellLimit = reportLimits(attempt, report);
  return {
    onSpawned: ({ host, bootId, pid, startTime }) => {
      attemptOutput.noteSpawn();
      const prompt_head = truncateCodePoints(request.prompt, PROMPT_HEAD_CHARS);
      void report({ type: 'attempt.spawned', attempt, host, boot_id: bootId, pid, start_time: startTime, command: [...command], prompt_head });
    },
    onEvent(event) {
      attemptOutput.hear(event);
      onSign(event);
      ports.showAgentEvent(attempt, event);
      if (event.type === 'rate_limit' && event.status === 'rejected') tellLimit(event.resetsAtMs ?? null, event.window ?? null);
      if (attemptOutput.isHopeless()) giveUp('not authorised');
    },
  };
}

/** Only changes are reported, and not without end: an agent may repeat its limit in every line, and the last one is in the fact anyway. */
function reportLimits(attempt: string, report: Report): (resetsAtMs: number | null, window: string | null) => void {
  let last = '';
  let told = 0;
  return (resetsAtMs, window) => {
    const limit = `${resetsAtMs} ${window}`;
    if (limit === last || told === MOST_LIMITS_REPORTED) return;
    last = limit;
    told += 1;
    void report({ type: 'limit.seen', attempt, resets_at: resetsAtMs, window });
  };
}
