import type { Command } from 'commander';
import { AGENT_HELP } from '../../../agents/definitions.ts';
import { collect, otherName } from '../../../cli/shared/flags.ts';
import { addOptions, OUTPUT_OPTIONS, SANDBOX_OPTIONS } from '../../../cli/shared/setting-options.ts';
import type { SettingFlags } from '../../../cli/shared/settings-from-flags.ts';

/** The options of a root agent, as commander parses them. */
export interface RootFlags extends SettingFlags {
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
  readonly ui?: boolean;
  readonly watch?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface SuperviseFlags extends RootFlags {
  readonly maxRestarts?: string;
  readonly maxCost?: string;
  readonly maxCostPerDay?: string;
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

/** The options that `ralph supervise` and `ralph job` share. */
export function withRootOptions(command: Command): Command {
  command
    .optionsGroup('Task and agent:')
    .option('--root <dir>', 'the folder with the task folders (.ralph/tasks)')
    .option('--project <id>', 'the project (the name of this directory)')
    .option('--task <id>', 'the task (default: a new one; its id is printed)')
    .option('-p, --prompt <text>', 'the prompt; supervise saves the first one as TASK.md')
    .option('-f, --prompt-file <path>', 'a file with the prompt, read again at every start of the agent; - reads standard input')
    .option('--agent <command>', AGENT_HELP)
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--model <name>', 'the model the agent uses')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('--cwd <dir>', 'the directory the agent works in (this one)')
    .option('--env <name=value>', 'an environment variable for the agent; repeatable', collect)
    .option('--check <command>', 'a shell command that must exit 0 before the task counts as done; repeatable', collect)
    .addOption(otherName('--guardrail <command>', 'check').argParser(collect))
    .option('--require-proof', 'refuse to start without a check')
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (never)')
    .option('--run-timeout <duration>', 'stop an agent that runs longer (never)');
  return addOptions(command, 'supervise', [SANDBOX_OPTIONS, { title: 'Output:', options: OUTPUT_OPTIONS }]);
}
