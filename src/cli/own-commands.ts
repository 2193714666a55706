import { createRequire } from 'node:module';
import { Argument, type Command } from 'commander';
import { packagePath } from '../kit/files/package-root.ts';
import { collect, type Finish } from './shared/flags.ts';

export function addInit(program: Command, finish: Finish): void {
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

export function addConfig(program: Command, finish: Finish): void {
  program
    .command('config')
    .description('Show the settings a run or a loop would get here and where each comes from, or print the JSON Schema of a settings file.')
    .addArgument(new Argument('[what]', 'show, or schema for editors').choices(['show', 'schema']).default('show'))
    .option('-c, --config <path>', 'show: as with the --config of a loop')
    .option('--yaml', 'schema: the one of ralph.yaml')
    .option('--json', 'print one JSON object, with every value in full')
    .action(async (what, options) => finish(await (await import('./config/config.ts')).configCommand(what, options)));
}

export function addGates(program: Command, finish: Finish): void {
  program
    .command('gates')
    .description('Show what each guardrail or check runs here, which files decide, and what it cannot show; with --try, whether planted failures turn it red.')
    .argument('[command...]', 'the gates to look at, such as "npm test" (those of the settings)')
    .option('--check <command>', 'one more; repeat it for more', collect)
    .option('--guardrail <command>', 'the same', collect)
    .option('-c, --config <path>', 'as with the --config of a loop')
    .option('--try', 'run each gate in a copy of the files, without a sandbox: as they are, then with failures planted; exit 1 if one is dead')
    .option('--all', 'list every file')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nFor example:\n  ralph gates "npm test" --try')
    .action(async (commands, options) => finish(await (await import('./gates/gates.ts')).gatesCommand(commands, options)));
}

export function addDemo(program: Command, finish: Finish): void {
  program
    .command('demo')
    .description('Watch a real loop in a throw-away repository with a scripted agent: no key, no network.')
    .option('--fast', 'without the pauses that make it readable')
    .option('--keep', 'keep the repository afterwards')
    .action(async (options) => finish(await (await import('./demo/demo.ts')).demoCommand(options)));
}

/** `ralph hook`, for its help: the bin itself answers a hook before anything else is loaded. */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description('Answer a hook of Claude Code: its JSON on standard input, the answer on standard output. With RALPH_SOCKET the loop behind it decides.')
    .argument('<name>', 'stop, context, guard or session-start')
    .action(() => {
      createRequire(import.meta.url)(packagePath('plugin', 'hooks', 'ralph-hook.cjs'));
    });
}
