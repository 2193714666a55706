import { Argument, Command, Option } from 'commander';
import { VERSION } from '../wiring/version.ts';

const HELP_WIDTH = 100;

/** Told the exit code of the command that ran. */
export type Finish = (exitCode: number) => void;

/** Every command and option. The modules that do the work are loaded only when their command is asked for. */
export function buildProgram(finish: Finish = () => undefined): Command {
  const program = new Command('ralph')
    .description('Runs command-line coding agents again and again, each time with fresh context, until the work is proven done.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    // What it refuses comes as an error, to be told like any other.
    .configureOutput({ outputError: () => undefined, getOutHelpWidth: () => HELP_WIDTH })
    .enablePositionalOptions();
  addRun(program, finish);
  addInit(program, finish);
  addConfig(program, finish);
  addStatus(program, finish);
  addDemo(program, finish);
  return program;
}

function addRun(program: Command, finish: Finish): void {
  program
    .command('run', { isDefault: true })
    .description('Run an agent on one prompt until it claims to be done and every guardrail is green.')
    .option('-p, --prompt <text>', 'the prompt')
    .option('-f, --prompt-file <path>', 'a file with the prompt, read again for every iteration; - is standard input')
    .option('-m, --maximum-iterations <n>', 'iterations at most (10)')
    .addOption(alias('--max-iterations <n>', 'maximumIterations'))
    .option('-c, --completion-response <word>', 'the word that claims completion (DONE)')
    .addOption(alias('--completion-promise <word>', 'completionResponse'))
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .addOption(alias('--backend <command>', 'agent', 'tool'))
    .addOption(alias('--tool <command>', 'agent'))
    .option('--agent-kind <kind>', 'how to speak with the agent, when its name does not tell')
    .option('--model <name>', 'the model the agent is told to use')
    .option('--autonomy <level>', 'what the agent may do unasked: full, edits or ask (full)')
    .option('--guardrail <command>', 'a command that must exit 0 before a claim counts, besides those of the settings; repeat it for more', collect)
    .option('--idle-timeout <duration>', 'end an agent that prints nothing for so long (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'end an agent that runs longer (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait for usage limits no longer than this in all (6h, 0 = for ever)')
    .option('--require-proof', 'refuse to start without a guardrail')
    .option('--require-change', 'refuse a claim while nothing has changed since the start')
    .option('--resume [run]', 'continue a run that was killed or stopped; the newest if none is named')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it')
    .option('--dry-run', 'print the command and the prompt, run nothing')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (options) => finish(await (await import('./commands/run.ts')).runCommand(options)));
}

function addInit(program: Command, finish: Finish): void {
  program
    .command('init')
    .description('Write .ralph/settings.json from your answers, or with --yes from what is found here.')
    .option('-y, --yes', 'ask nothing; the options below are for this')
    .option('--agent <command>', 'the agent (the first on PATH of claude, codex, amp, opencode, gemini)')
    .option('--flag <flag>', 'a flag the agent always gets; repeat it for more', collect)
    .option('--guardrail <command>', 'a guardrail instead of those found; repeat it for more', collect)
    .option('-m, --maximum-iterations <n>', 'iterations at most (10)')
    .option('-c, --completion-response <word>', 'the word that claims completion (DONE)')
    .option('--scm <tasks>', 'what git does after a green iteration, such as commit,push')
    .option('--force', 'replace settings that are there')
    .option('--dry-run', 'print what would be written, write nothing')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await import('./commands/init.ts')).initCommand(options)));
}

function addConfig(program: Command, finish: Finish): void {
  program
    .command('config')
    .description('Show the settings a run would get here and where each comes from, or print the JSON Schema of a settings file.')
    .addArgument(new Argument('[what]', 'show, or schema for editors').choices(['show', 'schema']).default('show'))
    .option('--json', 'print one JSON object, with every value in full')
    .action(async (what, options) => finish(await (await import('./commands/config.ts')).configCommand(what, options)));
}

function addStatus(program: Command, finish: Finish): void {
  program
    .command('status')
    .description('Show the newest run of this directory, or the one named.')
    .argument('[run]', 'a run id, or its end')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./commands/status.ts')).statusCommand(run ?? null, options)));
}

function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .description('Watch a real loop in a throw-away repository with a scripted agent: no key, no network.')
    .option('--fast', 'without the pauses that make it readable')
    .option('--keep', 'keep the repository afterwards')
    .action(async (options) => finish(await (await import('./commands/demo.ts')).demoCommand(options)));
}

/** What other loops call the same thing; both at once would leave it open which one counts. */
function alias(flags: string, ...others: readonly string[]): Option {
  return new Option(flags, 'the same').hideHelp().conflicts([...others]);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
