import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withSandboxOptions } from '../../../cli/shared/sandbox-flags.ts';

export function addLoop(program: Command, finish: Finish): void {
  const loop = program
    .command('loop')
    .description('Run an agent on one task, each time with a clean context, until it claims to be done and every check is green.')
    .argument('[task]', 'the task, in quotes');
  withLoopOptions(loop).action(async (task, options) => finish(await (await import('./loop.ts')).loopCommand(task ?? null, options)));
}

function withLoopOptions(loop: Command): Command {
  for (const add of [addWork, addProof, addLimits, addPlace, withSandboxOptions, addOutput]) add(loop);
  return loop.addHelpText('after', AFTER);
}

const AFTER = `
The loop succeeds when the agent says its completion tag and every check is green after that.
Settings come from --config, .ralph/settings.local.json, .ralph/settings.json and ralph.yaml;
earlier ones override later ones, and the command line overrides all. --check and --protect add to
the settings. --no-… turns off a flag without a value, such as --no-worktree.

Examples:
  ralph loop "make the tests pass" --check "npm test"
  ralph loop --spec spec.md --check "npm test" --check "npm run lint" --max-cost 3 --max-time 10m
  ralph loop "migrate to async/await" --check "npm test" --worktree --protect "test/**"`;

function addWork(loop: Command): void {
  loop
    .optionsGroup('Task and agent:')
    .option('--spec <path>', 'a file that replaces the task text, read once at the start')
    .option('--follow-spec', 'use changes to that file during the run')
    .addOption(backFrom('--follow-spec'))
    .option('--agent <name>', 'build, a profile of the settings, or a command such as claude (build)')
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--model <name>', 'the model for the agent')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('-c, --config <path>', 'a YAML or JSON file with a ralph_loop section; overrides all other files')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)');
}

function addProof(loop: Command): void {
  const proof = loop
    .optionsGroup('Proof:')
    .option('--check <command>', 'a shell command that must exit 0; repeat it for more', collect)
    .addOption(new Option('--checks', 'the opposite').hideHelp())
    .option('--no-checks', 'run without checks: the tag alone ends the loop')
    .option('--check-timeout <duration>', 'stop a check after this long; it counts as red (120s, 0 = never)')
    .option('--parallel-checks', 'run all checks at the same time')
    .addOption(backFrom('--parallel-checks'))
    .option('--flaky-retries <n>', 'how often a red check is run again at once, to see whether it is flaky (1)')
    .option('--baseline', 'run the checks once before the first iteration (default)')
    .option('--no-baseline', 'do not')
    .option('--witness <command>', 'a check that must be red at the start and green at the end; repeat it for more', collect)
    .option('--protect <glob>', 'paths no agent may change; repeat it for more', collect)
    .option('--verify <where>', 'clean: all checks must also be green in a fresh checkout of the result (none)')
    .option('--completion-tag <tag>', 'what the agent says when it is done (COMPLETE)')
    .option('--require-tag <when>', 'is the tag needed? always; auto: green twice in a row is enough; never: green is enough (always)');
  withProofOptions(proof);
}

function addLimits(loop: Command): void {
  loop
    .optionsGroup('Limits:')
    .option('--max-iterations <n>', 'maximum number of iterations (25)')
    .option('--max-cost <usd>', 'maximum cost in US dollars (no limit)')
    .option('--max-time <duration>', 'maximum time in seconds, or such as 10m; also ends a running iteration (no limit)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer than this (3h, 0 = never)')
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait at most this long for usage limits, in total (6h, 0 = no limit)');
}

function addPlace(loop: Command): void {
  loop
    .optionsGroup('Workspace:')
    .option('--worktree', 'work in a git worktree with a branch of its own, beside the repository')
    .addOption(backFrom('--worktree'))
    .option('--commit', 'commit every green iteration in place; a worktree always does')
    .addOption(backFrom('--commit'));
}

function addOutput(loop: Command): void {
  loop
    .optionsGroup('Output:')
    .option('--dry-run', 'print the command and the prompt of the first attempt, and run nothing')
    .addOption(new Option('--report <format>', 'write a report').choices(['json', 'markdown', 'github']))
    .option('--report-file <path>', 'the file of the report; its extension also selects the format (default: standard output)')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it');
}

/** Overrides what a settings file says; the end of the help explains all of these flags. */
function backFrom(flag: string): Option {
  return new Option(flag.replace('--', '--no-'), 'the opposite').hideHelp();
}
