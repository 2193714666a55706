import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withSandboxOptions } from '../../../cli/shared/sandbox-flags.ts';

export function addLoop(program: Command, finish: Finish): void {
  const loop = program
    .command('loop')
    .description('Run an agent on one task, each time with a clean context, until it says that it is done and every check is green.')
    .argument('[task]', 'what is to be done, in quotes');
  withLoopOptions(loop).action(async (task, options) => finish(await (await import('./loop.ts')).loopCommand(task ?? null, options)));
}

/** Every option of `ralph loop`, in the groups its help shows. */
function withLoopOptions(loop: Command): Command {
  for (const add of [addWork, addProof, addLimits, addPlace, withSandboxOptions, addOutput]) add(loop);
  return loop.addHelpText('after', AFTER);
}

const AFTER = `
The loop ends well when the agent has said its completion tag and every check is green after that.
Settings come from --config, .ralph/settings.local.json, .ralph/settings.json and ralph.yaml, the
first of them that says something; the command line wins over all. --check and --protect add to
what they say; a flag without a value is taken back by --no-…, such as --no-worktree.

Examples:
  ralph loop "make the tests pass" --check "npm test"
  ralph loop --spec spec.md --check "npm test" --check "npm run lint" --max-cost 3 --max-time 10m
  ralph loop "migrate to async/await" --check "npm test" --worktree --protect "test/**"`;

function addWork(loop: Command): void {
  loop
    .optionsGroup('What is to be done, and by whom:')
    .option('--spec <path>', 'a file that is given to the agent instead of the task, as it is now')
    .option('--follow-spec', 'obey changes of that file during the run')
    .addOption(backFrom('--follow-spec'))
    .option('--agent <name>', 'build, a profile of the settings, or a command such as claude (build)')
    .option('--agent-kind <kind>', 'how to speak with the agent, when its name does not tell')
    .option('--model <name>', 'the model the agent is told to use')
    .option('--autonomy <level>', 'what the agent may do unasked: full, edits or ask (full)')
    .option('-c, --config <path>', 'a YAML or JSON file with a ralph_loop section, over all other files')
    .option('--resume [run]', 'continue a run that was killed or stopped; the newest if none is named');
}

function addProof(loop: Command): void {
  const proof = loop
    .optionsGroup('What proves that it is done:')
    .option('--check <command>', 'a shell command that must exit 0; repeat it for more', collect)
    .addOption(new Option('--checks', 'the opposite').hideHelp())
    .option('--no-checks', 'run without any: the tag alone ends the loop')
    .option('--check-timeout <duration>', 'end a check that takes longer, which is then red (120s, 0 = never)')
    .option('--parallel-checks', 'run all checks at the same time')
    .addOption(backFrom('--parallel-checks'))
    .option('--flaky-retries <n>', 'run a red check again at once, so often, to see whether it is flaky (1)')
    .option('--baseline', 'run the checks once before the first iteration (default)')
    .option('--no-baseline', 'do not')
    .option('--witness <command>', 'a check that must be red at the start and green in the end; repeat it for more', collect)
    .option('--protect <glob>', 'paths no agent may change; repeat it for more', collect)
    .option('--verify <where>', 'clean: all checks must be green in a fresh checkout of the result too (none)')
    .option('--completion-tag <tag>', 'what the agent says when it is done (COMPLETE)')
    .option('--require-tag <when>', 'always; auto: green twice in a row is enough; never: green is enough (always)');
  withProofOptions(proof);
}

function addLimits(loop: Command): void {
  loop
    .optionsGroup('When it is enough:')
    .option('--max-iterations <n>', 'iterations at most (25)')
    .option('--max-cost <usd>', 'US dollars at most (no limit)')
    .option('--max-time <duration>', 'seconds at most, or such as 10m, also inside of an iteration (no limit)')
    .option('--iteration-timeout <duration>', 'end an agent that runs longer (3h, 0 = never)')
    .option('--idle-timeout <duration>', 'end an agent that prints nothing for so long (20m, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait for usage limits no longer than this in all (6h, 0 = for ever)');
}

function addPlace(loop: Command): void {
  loop
    .optionsGroup('Where the work goes:')
    .option('--worktree', 'work in a git worktree with a branch of its own, beside the repository')
    .addOption(backFrom('--worktree'))
    .option('--commit', 'commit every green iteration where you are; in a worktree that is always so')
    .addOption(backFrom('--commit'));
}

function addOutput(loop: Command): void {
  loop
    .optionsGroup('What is shown:')
    .option('--dry-run', 'print the command and the prompt of the first attempt, run nothing')
    .addOption(new Option('--report <format>', 'write a report').choices(['json', 'markdown', 'github']))
    .option('--report-file <path>', 'where to; its ending tells the format too (standard output)')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .option('--stream-agent-output', 'show what the agent does (default)')
    .option('--no-stream-agent-output', 'do not show it');
}

/** Takes back what a settings file says; the end of the help tells of all of them. */
function backFrom(flag: string): Option {
  return new Option(flag.replace('--', '--no-'), 'the opposite').hideHelp();
}
