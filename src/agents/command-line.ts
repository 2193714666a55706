import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentOutput } from '../engine/ports/agent.ts';
import { writeAtomic } from '../kit/files/write.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import type { ProcessWatch } from '../process/process-request.ts';
import { runProcess } from '../process/run-process.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import type { AgentDefinition, Autonomy, KnownFlags } from './agent-definition.ts';
import { wordsOf } from './command-words.ts';
import { definitions } from './definitions.ts';
import { listIn, objectIn } from './json.ts';

export interface CommandLineOptions {
  readonly definition: AgentDefinition;
  /** May contain arguments: `node agent.mjs`. */
  readonly command: string;
  /** Each may contain several words. They come after ours. */
  readonly flags: readonly string[];
  readonly model: string | null;
  readonly autonomy: Autonomy;
  /** What agents inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly asRoot: boolean;
  readonly insideGit: boolean;
  /** Whether it runs in a sandbox of ours. */
  readonly enclosed: boolean;
  /** Where we cache what we learn about the binary. */
  readonly cacheFolder: string;
  readonly guardian: ProcessWatch;
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Attempt {
  readonly output: AgentOutput;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly promptFile: string;
  readonly budgetUsd: number | null;
  readonly judges: boolean;
}

/** Variables that tell an agent that it runs inside a session of another one. */
const sessionVariables = new Set(definitions.flatMap((definition) => definition.sessionVariables));

type CommandLineFor = (attempt: Attempt) => Promise<CommandLine>;

/** Builds the command line of an attempt. A call that could never work is refused at once, with an OperatorError. */
export function openCommandLine(options: CommandLineOptions): CommandLineFor {
  const { definition, autonomy, model, asRoot, insideGit, enclosed, env } = options;
  const { file, ownArgs } = commandOf(options.command);
  const flags = options.flags.flatMap(wordsOf);
  const call = (attempt: Omit<Attempt, 'env'>, known: KnownFlags) =>
    definition.call({ ...attempt, autonomy, model, flags, asRoot, insideGit, isSandboxed: enclosed, env }, known);
  call({ output: 'events', cwd: '/', promptFile: '', budgetUsd: null, judges: false }, null);

  let asked: Promise<KnownFlags> | null = null;
  const ask = (helpArgs: readonly string[], cwd: string) => {
    asked ??= knownFlags({ ...options, file, args: [...ownArgs, ...helpArgs], cwd });
    return asked;
  };

  return async (attempt) => {
    const known = definition.helpArgs === null ? null : await ask(definition.helpArgs, attempt.cwd);
    const { env: own, ...asked } = attempt;
    const made = call(asked, known);
    const kept = Object.entries(env).filter(([name]) => !sessionVariables.has(name));
    return { file, args: [...ownArgs, ...made.args], env: { ...Object.fromEntries(kept), ...own, ...made.env } };
  };
}

function commandOf(command: string): { readonly file: string; readonly ownArgs: readonly string[] } {
  const [file, ...ownArgs] = wordsOf(command);
  if (file !== undefined) return { file, ownArgs };
  throw new OperatorError('agent-missing', 'The command of the agent is empty.', { hint: 'Name one, such as claude or codex.', exitCode: 2 });
}

const HELP_MS = 10_000;
const HELP_BYTES = 1_000_000;

export interface HelpRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for cached answers; it is made when there is one to keep. */
  readonly cacheFolder: string;
  readonly guardian: ProcessWatch;
}

/** The flags that a binary's help names. It is asked once; the answer is valid as long as the very same file is there. */
export async function knownFlags(request: HelpRequest): Promise<KnownFlags> {
  const path = await findExecutable(request.file, { path: request.env['PATH'] ?? '', cwd: request.cwd });
  if (path === null) return null;
  const { mtimeMs, size } = await stat(path);
  const key = createHash('sha256')
    .update(JSON.stringify([path, mtimeMs, size, request.args]))
    .digest('hex');
  const cacheFile = join(request.cacheFolder, `agent-flags-${key.slice(0, 16)}.json`);
  const kept = await readKept(cacheFile);
  if (kept !== null) return kept;
  const flags = await askForHelp(request).catch(() => null);
  // If it cannot be cached, the binary is only asked again.
  if (flags !== null) await keep(cacheFile, request.cacheFolder, JSON.stringify({ path, flags: [...flags] })).catch(() => {});
  return flags;
}

async function keep(cacheFile: string, cacheFolder: string, answer: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  await writeAtomic(cacheFile, answer);
}

async function readKept(cacheFile: string): Promise<KnownFlags> {
  try {
    const flags = listIn(objectIn(JSON.parse(await readFile(cacheFile, 'utf8')))?.['flags']);
    return flags.length === 0 ? null : new Set(flags.filter((flag) => typeof flag === 'string'));
  } catch {
    return null;
  }
}

/** With a marker of its own, so that no sweep of an attempt ends it, and its own sweep ends nothing else. */
async function askForHelp({ file, args, cwd, env, guardian }: HelpRequest): Promise<KnownFlags> {
  const folder = await makeTemporaryFolder('help');
  const flags = new Set<string>();
  try {
    const ending = await runProcess(
      {
        file,
        args,
        cwd,
        env,
        stdin: '',
        marker: `help/${randomUUID()}`,
        stdoutFile: join(folder, 'help.txt'),
        stderrFile: 'merged',
        idleMs: 0,
        deadlineMs: HELP_MS,
        maxOutputBytes: HELP_BYTES,
        lingerMs: 0,
        stopWith: 'terminate',
        guardian,
        onSpawned: () => undefined,
        onLine(line) {
          for (const [flag] of line.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)) flags.add(flag);
        },
        settled: () => false,
      },
      new AbortController().signal,
    );
    return ending.kind === 'exited' && ending.code === 0 && flags.size > 0 ? flags : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
