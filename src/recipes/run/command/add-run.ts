import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withProtectedSandbox } from '../../../cli/shared/sandbox-flags.ts';

export function addRun(program: Command, finish: Finish): void {
  const run = program
    .command('run', { isDefault: true })
    .description('Run an agent on one prompt until it claims to be done and every guardrail is green.')
    .option('-p, --prompt <text>', 'the prompt')
    .option('-f, --prompt-file <path>', 'a file with the prompt, read again for every iteration; - is standard input')
    .option('-m, --maximum-iterations <n>', 'maximum number of iterations (10)')
    .addOption(alias('--max-iterations <n>', 'maximumIterations'))
    .option('-c, --completion-response <word>', 'the word that claims completion (DONE)')
    .addOption(alias('--completion-promise <word>', 'completionResponse'))
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .addOption(alias('--backend <command>', 'agent', 'tool'))
    .addOption(alias('--tool <command>', 'agent'))
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--model <name>', 'the model for the agent')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('--guardrail <command>', 'a command that must exit 0 before a claim counts, in addition to those of the settings; repeat it for more', collect)
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer than this (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait at most this long for usage limits, in total (6h, 0 = no limit)')
    .option('--require-proof', 'refuse to start without a guardrail')
    .option('--require-change', 'refuse a claim while nothing has changed since the start');
  withProtectedSandbox(withProofOptions(run))
    .optionsGroup('Execution:')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it')
    .option('--dry-run', 'print the command and the prompt, and run nothing')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (options) => finish(await (await import('./run.ts')).runCommand(options)));
}

/** Names that other loops use for the same option. Giving both is refused, because it is unclear which one counts. */
function alias(flags: string, ...others: readonly string[]): Option {
  return new Option(flags, 'the same').hideHelp().conflicts([...others]);
}
