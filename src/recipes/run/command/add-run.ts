import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withProtectedSandbox } from '../../../cli/shared/sandbox-flags.ts';

export function addRun(program: Command, finish: Finish): void {
  const run = program
    .command('run', { isDefault: true })
    .description('Run an agent on one prompt until it claims to be done and every guardrail is green.')
    .option('-p, --prompt <text>', 'the prompt')
    .option('-f, --prompt-file <path>', 'a file with the prompt, read again for every iteration; - reads standard input')
    .option('-m, --maximum-iterations <n>', 'maximum number of iterations (10)')
    .addOption(alias('--max-iterations <n>', 'maximumIterations'))
    .option('-c, --completion-response <word>', 'the word that claims completion (DONE)')
    .addOption(alias('--completion-promise <word>', 'completionResponse'))
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .addOption(alias('--backend <command>', 'agent', 'tool'))
    .addOption(alias('--tool <command>', 'agent'))
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--model <name>', 'the model the agent uses')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('--guardrail <command>', 'a command that must exit 0 before a claim counts, in addition to those in the settings; repeatable', collect)
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'maximum total wait for usage limits (6h, 0 = unlimited)')
    .option('--require-proof', 'refuse to start without a guardrail')
    .option('--require-change', 'refuse a claim if nothing has changed since the start');
  withProtectedSandbox(withProofOptions(run))
    .optionsGroup('Resume and output:')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it')
    .option('--dry-run', 'print the command and the prompt, run nothing')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (options) => finish(await (await import('./run.ts')).runCommand(options)));
}

/** The name other loops use for the same option. It conflicts with ours: given both, it would be unclear which counts. */
function alias(flags: string, ...others: readonly string[]): Option {
  return new Option(flags, 'the same').hideHelp().conflicts([...others]);
}
