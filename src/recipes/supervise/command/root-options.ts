import type { Command } from 'commander';
import { collect } from '../../../cli/shared/collect.ts';
import { withProtectedSandbox } from '../../../cli/shared/sandbox-options.ts';

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
