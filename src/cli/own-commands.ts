import { createRequire } from 'node:module';
import { Argument, type Command } from 'commander';
import { agentPrograms } from '../agents/definitions.ts';
import { packagePath } from '../kit/files/package-root.ts';
import { collect, type Finish, otherName } from './shared/flags.ts';

export function addInit(program: Command, finish: Finish): void {
  program
    .command('init')
    .description('Write .ralph/settings.json from your answers, or with --yes from what Ralph detects.')
    .option('-y, --yes', 'ask nothing; use the options below and what Ralph detects')
    .option('--agent <command>', `the agent (the first of ${agentPrograms.join(', ')} on PATH)`)
    .option('--flag <flag>', 'a flag the agent always gets; repeatable', collect)
    .option('--check <command>', 'a check, instead of those detected; repeatable', collect)
    .addOption(otherName('--guardrail <command>', 'check').argParser(collect))
    .option('-n, --max-iterations <n>', 'maximum number of iterations (10)')
    .addOption(otherName('-m, --maximum-iterations <n>', 'max-iterations'))
    .option('-c, --completion-response <word>', 'the word that claims completion (DONE)')
    .option('--scm <tasks>', 'what git does after a green iteration, such as commit,push')
    .option('--just', 'write recipes for just instead, into a new justfile or beside an existing one')
    .option('--force', 'replace existing settings or an existing justfile')
    .option('--dry-run', 'print what would be written, write nothing')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await import('./init/init.ts')).initCommand(options)));
}

export function addConfig(program: Command, finish: Finish): void {
  program
    .command('config')
    .description('Show the settings of a run or a loop in this directory and where each comes from, or print the JSON Schema of the settings files.')
    .addArgument(new Argument('[what]', 'show, or schema for editors').choices(['show', 'schema']).default('show'))
    .option('-c, --config <path>', 'show: a settings file, as for ralph loop --config')
    .option('--yaml', 'schema: print the schema of ralph.yaml')
    .option('--json', 'print one JSON object, with every value in full')
    .action(async (what, options) => finish(await (await import('./config/config.ts')).configCommand(what, options)));
}

export function addGates(program: Command, finish: Finish): void {
  program
    .command('gates')
    .description('Show what each check runs, which files decide its result, and what it cannot prove; with --try, whether planted failures turn it red.')
    .argument('[command...]', 'the checks to show, such as "npm test" (those in the settings)')
    .option('--check <command>', 'one more check; repeatable', collect)
    .addOption(otherName('--guardrail <command>', 'check').argParser(collect))
    .option('-c, --config <path>', 'a settings file, as for ralph loop --config')
    .option('--try', 'run each check in a copy of the files, without a sandbox: unchanged, then with planted failures; exit 1 if one is dead')
    .option('--all', 'list all files')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  ralph gates "npm test" --try')
    .action(async (commands, options) => finish(await (await import('./gates/gates.ts')).gatesCommand(commands, options)));
}

export function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .description('Watch a real loop in a temporary repository with a scripted agent. Needs no key and no network.')
    .option('--fast', 'no pauses for reading')
    .option('--keep', 'keep the repository')
    .action(async (options) => finish(await (await import('./demo/demo.ts')).demoCommand(options)));
}

export function addCompletion(program: Command, finish: Finish): void {
  program
    .command('completion')
    .description('Print a script that lets your shell complete commands, options, run ids and task ids.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', AFTER_COMPLETION)
    .action(async (shell) => finish((await import('./completion/scripts.ts')).completionCommand(shell)));
}

const AFTER_COMPLETION = `
To install it, run one of these once and open a new shell:
  echo 'eval "$(ralph completion bash)"' >> ~/.bashrc
  echo 'eval "$(ralph completion zsh)"' >> ~/.zshrc       (after the line with compinit)
  ralph completion fish > ~/.config/fish/completions/ralph.fish`;

/** `ralph hook`, for its help: the bin itself answers a hook before anything else is loaded. */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description(
      'Answer a hook of Claude Code: reads its JSON from standard input, writes the answer to standard output. If RALPH_SOCKET is set, the loop behind it decides.',
    )
    .argument('<name>', 'stop, context, guard or session-start')
    .action(() => {
      createRequire(import.meta.url)(packagePath('plugin', 'hooks', 'ralph-hook.cjs'));
    });
}
