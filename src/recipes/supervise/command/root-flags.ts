import type { Command } from 'commander';
import { collect } from '../../../cli/shared/flags.ts';
import { type SandboxFlags, withProtectedSandbox } from '../../../cli/shared/sandbox-flags.ts';

/** The options of a root agent as commander hands them over. */
export interface RootFlags extends SandboxFlags {
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly agent?: string;
  readonly agentKind?: string;
  readonly model?: string;
  readonly autonomy?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly check?: readonly string[];
  readonly requireProof?: boolean;
  readonly idleTimeout?: string;
  readonly runTimeout?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface SuperviseFlags extends RootFlags {
  readonly maxRestarts?: string;
  readonly restartDelay?: string;
  readonly backoff?: string;
  readonly restartIntensity?: string;
  readonly dependsOn?: readonly string[];
  readonly pollInterval?: string;
  readonly finishOnDone?: string;
  readonly waitTimeout?: string;
  readonly waitScope?: string;
  readonly killChildren?: boolean;
  readonly failOnBlocked?: boolean;
}

/** What every root agent can be given, a supervised one and a job alike. */
export function withRootOptions(command: Command): Command {
  const about = command
    .optionsGroup('What is to be done, by whom and where:')
    .option('--root <dir>', 'where task folders lie (.ralph/tasks)')
    .option('--project <id>', 'the project (the name of this directory)')
    .option('--task <id>', 'the task (a new one, whose id is printed)')
    .option('-p, --prompt <text>', 'the prompt; supervise keeps the first one as TASK.md')
    .option('-f, --prompt-file <path>', 'a file with the prompt, read again for every life; - is standard input')
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .option('--agent-kind <kind>', 'how to speak with the agent, when its name does not tell')
    .option('--model <name>', 'the model the agent is told to use')
    .option('--autonomy <level>', 'what the agent may do unasked: full, edits or ask (full)')
    .option('--cwd <dir>', 'where the agent works (here)')
    .option('--env <name=value>', 'a variable for the agent; repeat it for more', collect)
    .option('--check <command>', 'a shell command that must exit 0 before it counts as done; repeat it for more', collect)
    .option('--require-proof', 'refuse to start without a check')
    .option('--idle-timeout <duration>', 'end an agent that prints nothing for so long (never)')
    .option('--run-timeout <duration>', 'end an agent that runs longer (never)');
  return withProtectedSandbox(about)
    .optionsGroup('What is shown:')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more');
}
