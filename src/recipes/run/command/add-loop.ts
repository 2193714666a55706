import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withSandboxOptions } from '../../../cli/shared/sandbox-flags.ts';

export function addLoop(program: Command, finish: Finish): void {
  const loop = program
    .command('loop')
    .description('Run an agent on one task, each time with a clean context, until it reports completion and every check is green.')
    .argument('[task]', 'the task, in quotes');
  withLoopOptions(loop).action(async (task, options) => finish(await (await import('./loop.ts')).loopCommand(task ?? null, options)));
}

/** Every option of `ralph loop`, in the groups its help shows. */
function withLoopOptions(loop: Command): Command {
  for (const add of [addWork, addProof, addLimits, addPlace, withSandboxOptions, addOutput]) add(loop);
  return loop.addHelpText('after', AFTER);
}

const AFTER = `
The loop succeeds when the agent has printed its completion tag and every check is green after that.
Settings come from the command line, --config, .ralph/settings.local.json, .ralph/settings.json and
ralph.yaml; the first of these that has a setting wins. --check and --protect add to the files.
A flag without a value is switched off by --no-…, such as --no-worktree.

Examples:
  ralph loop "make the tests pass" --check "npm test"
  ralph loop --spec spec.md --check "npm test" --check "npm run lint" --max-cost 3 --max-time 10m
  ralph loop "migrate to async/await" --check "npm test" --worktree --protect "test/**"`;

function addWork(loop: Command): void {
  loop
    .optionsGroup('Task and agent:')
    .option('--spec <path>', 'a file to use as the task; it is read once, at the start')
    .option('--follow-spec', 'follow changes of that file during the run')
    .addOption(negationOf('--follow-spec'))
    .option('--agent <name>', 'a profile in the settings, or a command such as claude (build)')
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--model <name>', 'the model the agent uses')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('-c, --config <path>', 'a YAML or JSON file with a ralph_loop section; it overrides all other files')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)');
}

function addProof(loop: Command): void {
  const proof = loop
    .optionsGroup('Proof:')
    .option('--check <command>', 'a shell command that must exit 0; repeatable', collect)
    .addOption(new Option('--checks', 'the opposite').hideHelp())
    .option('--no-checks', 'run no checks: the tag alone ends the loop')
    .option('--check-timeout <duration>', 'stop a check that takes longer; it is red then (120s, 0 = never)')
    .option('--parallel-checks', 'run all checks at the same time')
    .addOption(negationOf('--parallel-checks'))
    .option('--flaky-retries <n>', 'how often to run a red check again at once, to detect flaky ones (1)')
    .option('--baseline', 'run the checks once before the first iteration (default)')
    .option('--no-baseline', 'do not run the checks before the first iteration')
    .option('--witness <command>', 'a check that must be red at the start and green at the end; repeatable', collect)
    .option('--protect <glob>', 'paths no agent may change; repeatable', collect)
    .option('--verify <where>', 'clean: all checks must also be green in a fresh checkout of the result (none)')
    .option('--completion-tag <tag>', 'the tag by which the agent reports completion (COMPLETE)')
    .option('--require-tag <when>', 'always; auto: green twice in a row is enough; never: green is enough (always)');
  withProofOptions(proof);
}

function addLimits(loop: Command): void {
  loop
    .optionsGroup('Limits:')
    .option('--max-iterations <n>', 'maximum number of iterations (25)')
    .option('--max-cost <usd>', 'maximum cost in US dollars (no limit)')
    .option('--max-time <duration>', 'maximum duration in seconds, or such as 10m; it also interrupts an iteration (no limit)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer (3h, 0 = never)')
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--max-limit-wait <duration>', 'maximum total wait for usage limits (6h, 0 = unlimited)');
}

function addPlace(loop: Command): void {
  loop
    .optionsGroup('Worktree and commits:')
    .option('--worktree', 'work in a new git worktree beside the repository, on a new branch')
    .addOption(negationOf('--worktree'))
    .option('--commit', 'commit every green iteration on your branch; a worktree always commits')
    .addOption(negationOf('--commit'));
}

function addOutput(loop: Command): void {
  loop
    .optionsGroup('Output:')
    .option('--dry-run', 'print the command and the prompt of the first attempt, run nothing')
    .addOption(new Option('--report <format>', 'write a report').choices(['json', 'markdown', 'github']))
    .option('--report-file <path>', 'where to write the report; the file extension also sets the format (standard output)')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it');
}

/** Switches off what a settings file switches on. Hidden: the end of the help explains --no-… once. */
function negationOf(flag: string): Option {
  return new Option(flag.replace('--', '--no-'), 'the opposite').hideHelp();
}
