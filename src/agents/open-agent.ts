import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentListener, AgentOutput, AgentPort, AgentRequest } from '../engine/ports/agent.ts';
import type { AgentAccount } from '../engine/ports/quota.ts';
import type { SandboxPort } from '../engine/ports/sandbox.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import { linkSignal } from '../kit/async/scope.ts';
import { writeFresh } from '../kit/files/write.ts';
import { openAlarm } from '../process/alarm.ts';
import { longestLineBytes, splitLines } from '../process/lines.ts';
import type { ProcessEnding, ProcessWatch } from '../process/process-request.ts';
import { runProcess } from '../process/run-process.ts';
import { inSandbox } from '../sandbox/in-sandbox.ts';
import { factsOf } from '../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { cacheFolder } from '../store/user-folders.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { accountName, isEverywhere } from './account-name.ts';
import type { ParserClock, StreamParser } from './agent-definition.ts';
import { type CommandLine, type CommandLineOptions, openCommandLine } from './command-line.ts';
import { canPrintText, operatorWords } from './command-words.ts';
import { complaintEvents, endOfFile, errorMessageIn, limitEvents } from './error-message.ts';
import { definitionNamed } from './find-definition.ts';
import { openPlainParser } from './line-parser.ts';
import { timeZoneOf } from './reset-time.ts';

interface AgentContext {
  /** Its sandbox; absent for an agent that is only described. */
  readonly wall?: SandboxPort;
  readonly guardian: ProcessWatch;
  readonly nowMs: () => number;
}

/** The agent CLI of a run, with the environment it may see. */
export function openAgent(settings: RunSettings, { env, git }: Pick<Workspace, 'env' | 'git'>, around: AgentContext): AgentPort {
  const { agent, wall } = settings;
  return openCliAgent({
    definition: definitionNamed(agent.kind),
    command: agent.command,
    flags: agent.flags,
    model: agent.model,
    autonomy: agent.autonomy,
    env,
    // A supervised plain command is ended as seed 002 says.
    ...(factsOf(settings).place === 'task folder' && agent.kind === 'command' && { stopWith: 'terminate' as const }),
    asRoot: process.getuid?.() === 0,
    insideGit: git !== null,
    enclosed: wall.mode !== 'guard',
    cacheFolder: cacheFolder(env),
    account: { name: accountName(agent, env), model: agent.model, isEverywhere: isEverywhere(agent, env) },
    ...around,
  });
}

/** The same agent, only to be described: it is never started. */
export function openDescribedAgent(settings: RunSettings, place: Pick<Workspace, 'env' | 'git'>): AgentPort {
  return openAgent(settings, place, { guardian: { watch: () => undefined, forget: () => undefined, reportLeft: () => undefined }, nowMs: () => 0 });
}

export interface CliAgentOptions extends CommandLineOptions {
  readonly nowMs: () => number;
  /** Absent: nobody knows whose limits it meets. */
  readonly account?: AgentAccount;
  /** Its sandbox; absent: none. */
  readonly wall?: SandboxPort;
  /** How long an agent may print nothing after its log has told of a usage limit. Absent: a minute, as the agents themselves wait out what is shorter. */
  readonly silentLimitMs?: number;
  /** How it is ended, where that differs from its definition. */
  readonly stopWith?: 'interrupt' | 'terminate';
}

/** A stream with one of these explains a failure better than stderr. */
const explainsFailure: ReadonlySet<AgentEvent['type']> = new Set(['error', 'retry', 'rate_limit']);

/** An agent that is a command on this machine. Throws an OperatorError at once for a call that could never work. */
export function openCliAgent(options: CliAgentOptions): AgentPort {
  const { definition } = options;
  const commandLineFor = openCommandLine(options);
  const printsText = canPrintText(options);
  const outputOf = (asked: AgentOutput): AgentOutput => (printsText ? asked : 'events');
  const lineOf = (request: AgentRequest) =>
    commandLineFor({
      output: outputOf(request.output),
      cwd: request.cwd,
      promptFile: promptFileOf(request),
      budgetUsd: request.budgetUsd,
      judges: request.judges === true,
      ...(request.env && { env: request.env }),
    });
  const parserOf = ({ output }: AgentRequest, nowMs: () => number) =>
    outputOf(output) === 'text' ? openPlainParser() : definition.openParser(clockFor(nowMs, options.env));

  return {
    name: definition.name,
    ...(options.account && { account: options.account }),
    ...(definition.judge !== null && { judge: definition.judge(operatorWords(options)) }),
    outputFormat: (output) => (outputOf(output) === 'text' ? 'lines' : definition.outputFormat),
    async describe(request) {
      const { file, args } = await lineOf(request);
      return [file, ...args];
    },
    async run(request, listener, signal) {
      const line = await lineOf(request);
      const unwritten = writePrompt(request);
      if (unwritten !== null) return unwritten;
      const parser = parserOf(request, options.nowMs);
      let isExplained = false;
      const onEvent = (event: AgentEvent) => {
        isExplained ||= explainsFailure.has(event.type);
        listener.onEvent(event);
      };
      const ending = await runOnce({ options, line, request, listener: { ...listener, onEvent }, parser }, signal);
      if (!isExplained) tellAll(whyItFailed(ending, request, options), onEvent);
      return ending;
    },
    async replay(request, onEvent) {
      const writtenMs = await lastWritten(spoolOf(request));
      if (writtenMs === null) return null;
      // A reset given as a local time is relative to the time of writing, however late it is read.
      const parser = parserOf(request, () => writtenMs);
      await replaySpool(spoolOf(request), parser, onEvent);
      return 'replayed';
    },
  };
}

/** Loading the time zones costs a start of the program a tenth, and only a usage limit asks for them. */
function clockFor(nowMs: () => number, env: CliAgentOptions['env']): ParserClock {
  return {
    nowMs,
    get timeZone() {
      return timeZoneOf(env);
    },
  };
}

interface Attempt {
  readonly options: CliAgentOptions;
  readonly line: CommandLine;
  readonly request: AgentRequest;
  readonly listener: AgentListener;
  readonly parser: StreamParser;
}

async function runOnce({ options, line, request, listener, parser }: Attempt, signal: AbortSignal): Promise<ProcessEnding> {
  const { prompt, marker, idleMs, deadlineMs, maxOutputBytes, lingerMs } = request;
  const call = { who: 'agent' as const, ...line, cwd: request.cwd, judges: request.judges === true, stdin: prompt };
  await using enclosed = await inSandbox(options.wall, call);
  using link = linkSignal(signal);
  using silence = openSilentLimit(options, (events, why) => {
    tellAll(events, listener.onEvent);
    link.abort(why);
  });
  const ending = await runProcess(
    {
      stdin: prompt,
      ...enclosed.process,
      marker,
      stdoutFile: spoolOf(request),
      stderrFile: complaintsOf(request),
      idleMs,
      deadlineMs,
      maxOutputBytes,
      lingerMs,
      stopWith: options.stopWith ?? options.definition.stopWith,
      guardian: options.guardian,
      onSpawned: listener.onSpawned,
      onLine(text) {
        silence.spoken();
        tellAll(parser.line(text), listener.onEvent);
      },
      onErrorLine: silence.logged,
      settled: () => parser.settled(),
    },
    link.signal,
  );
  if (ending.kind !== 'never-started') tellAll(parser.end(ending.kind === 'exited'), listener.onEvent);
  return ending;
}

const SILENT_LIMIT_MS = 60_000;

interface SilentLimit extends Disposable {
  spoken(): void;
  readonly logged: (line: string) => void;
}

/** Gives up an agent that waits for a usage limit inside of itself: Ralph knows better how to wait, or has another agent. */
function openSilentLimit(
  { definition, silentLimitMs = SILENT_LIMIT_MS, nowMs, env }: CliAgentOptions,
  giveUp: (events: readonly AgentEvent[], why: string) => void,
): SilentLimit {
  let refusal: readonly AgentEvent[] = [];
  const alarm = openAlarm(silentLimitMs, () => giveUp(refusal, 'it waits for a usage limit without a word'));
  return {
    spoken() {
      refusal = [];
      alarm.cancel();
    },
    logged(line) {
      const words = definition.refusalInLog?.(line) ?? null;
      const events = words === null ? [] : limitEvents(words, clockFor(nowMs, env));
      if (events.length === 0) return;
      // Its own tries again do not put it off.
      if (refusal.length === 0) alarm.restart();
      refusal = events;
    },
    [Symbol.dispose]: () => alarm[Symbol.dispose](),
  };
}

/** Why a program failed whose stream did not say so: most print an error to stderr; claude, asked for text, prints it in place of the answer. */
function whyItFailed(ending: ProcessEnding, request: AgentRequest, options: CliAgentOptions): readonly AgentEvent[] {
  if (ending.kind !== 'exited' || ending.code === 0) return [];
  const isText = request.output === 'text' && canPrintText(options);
  const complaint = errorMessageIn(endOfFile(complaintsOf(request))) ?? (isText ? errorMessageIn(endOfFile(spoolOf(request))) : null);
  if (complaint === null) return [];
  return complaintEvents(complaint, ending.code, options.definition.complaints, clockFor(options.nowMs, options.env));
}

/** Null when it is written. Without its prompt on disk an attempt could not be found after a crash, so it does not start. */
function writePrompt(request: AgentRequest): ProcessEnding | null {
  try {
    writeFresh(promptFileOf(request), request.prompt);
    return null;
  } catch (error) {
    return { kind: 'never-started', reason: 'other', message: `cannot write the prompt: ${(error as Error).message}` };
  }
}

async function lastWritten(file: string): Promise<number | null> {
  try {
    const found = await lstat(file);
    return found.isFile() ? found.mtimeMs : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Splits lines exactly as for the running process. The spool does not say how the process ended, so no turn ends by that. */
async function replaySpool(file: string, parser: StreamParser, onEvent: (event: AgentEvent) => void): Promise<void> {
  const lines = splitLines(longestLineBytes, (text) => tellAll(parser.line(text), onEvent));
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) lines.push(chunk);
  lines.end();
  tellAll(parser.end(false), onEvent);
}

function tellAll(events: readonly AgentEvent[], onEvent: (event: AgentEvent) => void): void {
  for (const event of events) onEvent(event);
}

function promptFileOf(request: AgentRequest): string {
  return join(request.folder, 'prompt.md');
}

function complaintsOf(request: AgentRequest): string {
  return join(request.folder, 'agent.stderr');
}

function spoolOf(request: AgentRequest): string {
  return join(request.folder, 'agent.jsonl');
}
