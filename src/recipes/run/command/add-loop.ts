import { type Command, Option } from 'commander';
import { agentsOption, collect, type Finish, otherName, repeatable } from '../../../cli/shared/flags.ts';
import { addOptions, OUTPUT_OPTIONS, PROOF_OPTIONS, SANDBOX_OPTIONS } from '../../../cli/shared/setting-options.ts';

export function addLoop(program: Command, finish: Finish): void {
  const loop = program
    .command('loop')
    .description('Run an agent on one task, each time with a clean context, until it reports completion and every check is green.')
    .argument('[task]', 'the task, in quotes');
  addOptions(loop, 'loop', [
    { title: 'Task and agent:', group: 'agent', options: TASK_AND_AGENT },
    { title: 'Proof:', group: 'proof', options: PROOF },
    { title: 'Limits:', group: 'limits', options: LIMITS },
    { title: 'Worktree and commits:', group: 'place', options: [] },
    SANDBOX_OPTIONS,
    { title: 'Output:', group: 'output', options: OUTPUT },
  ]);
  loop.addHelpText('after', AFTER).action(async (task, options) => finish(await (await import('./loop.ts')).loopCommand(task ?? null, options)));
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

const TASK_AND_AGENT = [
  ['--spec <path>', 'a file to use as the task; it is read once, at the start'],
  ...['--follow-spec', '--agent', agentsOption, '--agent-kind', '--model', '--autonomy'],
  ['-c, --config <path>', 'a YAML or JSON file with a ralph_loop section; it overrides all other files'],
  ['--resume [run]', 'continue a run that was killed or stopped (default: the newest)'],
] as const;

const PROOF = [
  '--check',
  () => otherName('--guardrail <command>', 'check').argParser(collect),
  () => new Option('--checks', 'the opposite').hideHelp(),
  ['--no-checks', 'run no checks: the tag alone ends the loop'],
  ...['--check-timeout', '--parallel-checks', '--flaky-retries', '--baseline'],
  repeatable('--witness <command>', 'a check that must be red at the start and green at the end; repeatable'),
  ...['--protect', '--verify', '--completion-tag', '--require-tag', ...PROOF_OPTIONS],
] as const;

const LIMITS = [
  '--max-iterations',
  () => otherName('-m, --maximum-iterations <n>', 'max-iterations'),
  ...['--max-cost', '--max-cost-per-day', '--max-time', '--iteration-timeout', '--idle-timeout', '--max-limit-wait', '--stuck-after'],
];

const OUTPUT = [
  ['--dry-run', 'print the command and the prompt of the first attempt, run nothing'],
  () => new Option('--report <format>', 'write a report').choices(['json', 'markdown', 'github']),
  ['--report-file <path>', 'where to write the report; the file extension also sets the format (standard output)'],
  ...OUTPUT_OPTIONS,
] as const;
