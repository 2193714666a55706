import type { AgentOutput } from '../engine/ports/agent.ts';
import type { ProcessWatch } from '../process/process-watch.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { AgentDefinition, Autonomy, KnownFlags } from './agent-definition.ts';
import { knownFlags } from './known-flags.ts';
import { sessionMarkers } from './session-markers.ts';
import { wordsOf } from './words.ts';

export interface CommandLineOptions {
  readonly definition: AgentDefinition;
  /** May bring arguments of its own: `node agent.mjs`. */
  readonly command: string;
  /** Each may hold several words. They come after ours. */
  readonly flags: readonly string[];
  readonly model: string | null;
  readonly autonomy: Autonomy;
  /** What agents inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly asRoot: boolean;
  readonly insideGit: boolean;
  /** Whether a sandbox of ours stands around it. */
  readonly enclosed: boolean;
  /** Where what we learn about the binary is kept between runs. */
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
}

type CommandLineFor = (attempt: Attempt) => Promise<CommandLine>;

/** What to run for an attempt. A call that could never be made is refused here and now, with an OperatorError. */
export function openCommandLine(options: CommandLineOptions): CommandLineFor {
  const { definition, autonomy, model, asRoot, insideGit, enclosed, env } = options;
  const { file, ownArgs } = commandOf(options.command);
  const flags = options.flags.flatMap(wordsOf);
  const call = (attempt: Omit<Attempt, 'cwd' | 'env'>, known: KnownFlags) =>
    definition.call({ ...attempt, autonomy, model, flags, asRoot, insideGit, enclosed, env }, known);
  call({ output: 'events', promptFile: '', budgetUsd: null }, null);

  let asked: Promise<KnownFlags> | null = null;
  const ask = (helpArgs: readonly string[], cwd: string) => {
    asked ??= knownFlags({ ...options, file, args: [...ownArgs, ...helpArgs], cwd });
    return asked;
  };

  return async (attempt) => {
    const known = definition.helpArgs === undefined ? null : await ask(definition.helpArgs, attempt.cwd);
    const { cwd: _, env: own, ...asked } = attempt;
    const made = call(asked, known);
    const kept = Object.entries(env).filter(([name]) => !sessionMarkers.includes(name));
    return { file, args: [...ownArgs, ...made.args], env: { ...Object.fromEntries(kept), ...own, ...made.env } };
  };
}

function commandOf(command: string): { readonly file: string; readonly ownArgs: readonly string[] } {
  const [file, ...ownArgs] = wordsOf(command);
  if (file !== undefined) return { file, ownArgs };
  throw new OperatorError('agent-missing', 'The command of the agent is empty.', { hint: 'Name one, such as claude or codex.', exitCode: 2 });
}
