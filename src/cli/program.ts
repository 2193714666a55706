import { createRequire } from 'node:module';
import { Argument, Command, Option } from 'commander';
import { packagePath } from '../kit/files/package-root.ts';
import { VERSION } from '../kit/files/version.ts';
import { addAnswer } from '../people/answers/command/add-answer.ts';
import { addBus } from '../people/bus/command/add-bus.ts';
import { addTask } from '../plans/command/add-task.ts';
import { addPlan } from '../plans/planning/command/add-plan.ts';
import { surroundings } from '../process/surroundings.ts';
import { withLoopOptions } from '../recipes/run/command/loop-options.ts';
import { addJob } from '../recipes/supervise/command/add-job.ts';
import { addSupervise } from '../recipes/supervise/command/add-supervise.ts';
import { addWork } from '../recipes/work/command/add-work.ts';
import { addLogs, addStatus } from '../report/command/add-status.ts';
import { addRuns } from '../runs/command/add-runs.ts';
import { addGuard } from '../sandbox/command/add-guard.ts';
import { noSuchWorktreeCommand } from '../workspace/command/no-such-worktree-command.ts';
import { collect, type Finish } from './shared/flags.ts';
import { withProtectedSandbox } from './shared/sandbox-flags.ts';

const HELP_WIDTH = 100;

const COMMANDS: Readonly<Record<string, (program: Command, finish: Finish) => void>> = {
  run: addRun,
  loop: addLoop,
  work: addWork,
  task: addTask,
  plan: addPlan,
  answer: addAnswer,
  supervise: addSupervise,
  job: addJob,
  runs: addRuns,
  bus: addBus,
  init: addInit,
  config: addConfig,
  status: addStatus,
  logs: addLogs,
  verify: addVerify,
  guard: addGuard,
  hook: addHook,
  worktree: addWorktree,
  demo: addDemo,
};

/** The command that is asked for without a doubt; null where all of them must be known. */
export function commandIn(argv: readonly string[]): string | null {
  const [first = ''] = argv;
  // What a bare --sandbox follows is asked of all commands.
  return Object.hasOwn(COMMANDS, first) && !argv.includes('--sandbox') ? first : null;
}

/** Every command and option, or only those of one. The modules that do the work are loaded only when their command is asked for. */
export function buildProgram(finish: Finish = () => undefined, only: string | null = null): Command {
  const program = new Command('ralph')
    .description('Runs command-line coding agents again and again, each time with fresh context, until the work is proven done.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    // What it refuses comes as an error, to be told like any other.
    .configureOutput({ writeOut: (text) => surroundings().stdout.write(text), outputError: () => undefined, getOutHelpWidth: () => HELP_WIDTH })
    .enablePositionalOptions();
  for (const name in COMMANDS) if (only === null || only === name) COMMANDS[name]?.(program, finish);
  return program;
}

function addRun(program: Command, finish: Finish): void {
  const run = program
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
    .option('--require-change', 'refuse a claim while nothing has changed since the start');
  withProtectedSandbox(run)
    .optionsGroup('How it goes:')
    .option('--resume [run]', 'continue a run that was killed or stopped; the newest if none is named')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it')
    .option('--dry-run', 'print the command and the prompt, run nothing')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (options) => finish(await (await import('../recipes/run/command/run.ts')).runCommand(options)));
}

function addLoop(program: Command, finish: Finish): void {
  const loop = program
    .command('loop')
    .description('Run an agent on one task, each time with a clean context, until it says that it is done and every check is green.')
    .argument('[task]', 'what is to be done, in quotes');
  withLoopOptions(loop).action(async (task, options) => finish(await (await import('../recipes/run/command/loop.ts')).loopCommand(task ?? null, options)));
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
    .option('--just', 'write recipes for just instead, into a justfile or beside the one that is there')
    .option('--force', 'replace settings, or a justfile, that are there')
    .option('--dry-run', 'print what would be written, write nothing')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await import('./init/init.ts')).initCommand(options)));
}

function addConfig(program: Command, finish: Finish): void {
  program
    .command('config')
    .description('Show the settings a run or a loop would get here and where each comes from, or print the JSON Schema of a settings file.')
    .addArgument(new Argument('[what]', 'show, or schema for editors').choices(['show', 'schema']).default('show'))
    .option('-c, --config <path>', 'show: as with the --config of a loop')
    .option('--yaml', 'schema: the one of ralph.yaml')
    .option('--json', 'print one JSON object, with every value in full')
    .action(async (what, options) => finish(await (await import('./config/config.ts')).configCommand(what, options)));
}

function addWorktree(program: Command, finish: Finish): void {
  const worktree = program
    .command('worktree')
    .description('Make, list and remove worktrees of ralph, which lie beside the repository.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchWorktreeCommand(word);
    });
  const commands = () => import('../workspace/command/worktree.ts');
  const json = ['--json', 'print one JSON object'] as const;
  worktree
    .command('new')
    .description('Make a worktree of HEAD on a branch of its own, with what worktree in the settings brings along.')
    .argument('<name>', 'its name; the branch is ralph/<name>')
    .option(...json)
    .action(async (name, options) => finish(await (await commands()).newWorktreeCommand(name, options)));
  worktree
    .command('list')
    .description('Show every worktree of ralph, its run and its task, what is in it, and how far it is from its base.')
    .option(...json)
    .action(async (options) => finish(await (await commands()).listWorktreesCommand(options)));
  worktree
    .command('remove')
    .description('Remove one whose work is merged; its branch is kept.')
    .argument('<worktree>', 'its name, path, branch or run id')
    .option('--force', 'also when something in it is not committed, not merged, or claimed by hand')
    .option('--branch', 'delete its branch too')
    .option(...json)
    .action(async (which, options) => finish(await (await commands()).removeWorktreeCommand(which, options)));
  worktree
    .command('clean')
    .description('Remove all whose run is over and whose work is merged, or that have none, and say why the others are kept.')
    .option('--dry-run', 'only say what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).cleanWorktreesCommand(options)));
}

function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('Run the checks of a receipt again in a fresh checkout, and compare.')
    .argument('[commit]', 'the commit whose receipt it is (HEAD)')
    .option('--run <run>', 'the receipt of that run instead, by its id or the end of it')
    .option('--check-timeout <duration>', 'end a check that runs longer (loop.checkTimeout of the settings: 120s)')
    .option('--json', 'print one JSON object')
    .action(async (commit, options) => finish(await (await import('../proof/command/verify.ts')).verifyCommand(commit ?? null, options)));
}

function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .description('Watch a real loop in a throw-away repository with a scripted agent: no key, no network.')
    .option('--fast', 'without the pauses that make it readable')
    .option('--keep', 'keep the repository afterwards')
    .action(async (options) => finish(await (await import('./demo/demo.ts')).demoCommand(options)));
}

/** What other loops call the same thing; both at once would leave it open which one counts. */
function alias(flags: string, ...others: readonly string[]): Option {
  return new Option(flags, 'the same').hideHelp().conflicts([...others]);
}

/** `ralph hook`, for its help: the bin itself answers a hook before anything else is loaded. */
function addHook(program: Command): void {
  program
    .command('hook')
    .description('Answer a hook of Claude Code: its JSON on standard input, the answer on standard output. With RALPH_SOCKET the loop behind it decides.')
    .argument('<name>', 'stop, context, guard or session-start')
    .action(() => {
      createRequire(import.meta.url)(packagePath('dist', 'cli', 'hook.cjs'));
    });
}
