import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import { shortenTopHelp } from './top-help.ts';

/** How much of the options a help shows: those of the table below, or all. */
export type HelpLength = 'short' | 'all';

interface ShortHelp {
  readonly examples: readonly string[];
  /** The options most people need, by their long names. */
  readonly options: readonly string[];
}

/** Commands with more options than a screen holds. */
export const SHORT_HELP: Readonly<Record<string, ShortHelp>> = {
  run: {
    examples: ['ralph run "Make the tests pass, then answer DONE" --agent claude --check "npm test"', 'ralph run -f PROMPT.md --max-iterations 20'],
    options: ['prompt', 'prompt-file', 'agent', 'model', 'check', 'completion-response', 'max-iterations', 'sandbox', 'resume', 'dry-run', 'json'],
  },
  loop: {
    examples: ['ralph loop "Make the tests pass" --check "npm test"', 'ralph loop --spec spec.md --check "npm test" --worktree --max-cost 3'],
    options: ['spec', 'agent', 'check', 'protect', 'max-iterations', 'max-cost', 'max-time', 'worktree', 'sandbox', 'resume', 'dry-run', 'json'],
  },
  work: {
    examples: ['ralph work --agent claude', 'ralph work --plan task-graph.yaml --workers 4 --check "npm test" --max-cost 20'],
    options: ['plan', 'agent', 'workers', 'check', 'review-agent', 'max-iterations', 'max-cost', 'max-time', 'sandbox', 'resume', 'dry-run', 'json'],
  },
  supervise: {
    examples: [
      'ralph supervise --task task-001 --agent claude -p "Build the importer" --check "npm test"',
      'ralph supervise --task nightly --restart-delay 10s -- ./agent.sh --fast',
    ],
    options: ['task', 'prompt', 'prompt-file', 'agent', 'check', 'sandbox', 'max-restarts', 'restart-delay', 'backoff', 'kill-children', 'json'],
  },
  job: {
    examples: ['ralph job -p "Write the tests of the parser" --agent claude', 'ralph job --check "npm test" -- ./agent.sh --fast'],
    options: ['task', 'prompt', 'prompt-file', 'agent', 'model', 'check', 'run-timeout', 'sandbox', 'detach', 'follow', 'kill-children', 'json'],
  },
  torture: {
    examples: ['ralph torture --install', 'ralph torture --loop "my-loop --prompt {prompt} --check {gate} --agent {agent}"'],
    options: ['loop', 'preset', 'proof', 'sealed', 'gate', 'case', 'install', 'jobs', 'case-timeout', 'json'],
  },
  init: {
    examples: ['ralph init', 'ralph init --yes --agent claude --check "npm test"'],
    options: ['yes', 'agent', 'check', 'max-iterations', 'completion-response', 'scm', 'dry-run', 'json'],
  },
};

/** Whether these arguments ask for a help, and for which. */
export function helpLengthIn(argv: readonly string[]): HelpLength | null {
  const [first] = argv;
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  if (first !== 'help' && !words.some((word) => word === '--help' || word === '-h')) return null;
  return words.includes('--all') ? 'all' : 'short';
}

export function shortenHelp(program: Command, argv: readonly string[]): void {
  const length = helpLengthIn(argv);
  if (length !== null) setHelpLength(program, length);
}

/** Changes the help of the program and of the commands with many options. The options stay the same. */
export function setHelpLength(program: Command, length: HelpLength): void {
  if (length === 'short') shortenTopHelp(program);
  for (const command of program.commands) {
    const short = Object.hasOwn(SHORT_HELP, command.name()) ? SHORT_HELP[command.name()] : undefined;
    if (short === undefined) continue;
    if (length === 'all') showOtherNames(command);
    else shorten(command, short);
  }
}

/** Other names are hidden in a help only, so that nobody has to read each option twice. */
function showOtherNames({ options }: Command): void {
  for (const option of options) if (option.description.startsWith('the same as ')) option.hideHelp(false);
}

function shorten(command: Command, { examples, options }: ShortHelp): void {
  const name = command.name();
  const rest = command.options.filter(({ hidden, long }) => !hidden && !options.includes(long?.replace('--', '') ?? ''));
  for (const option of rest) option.hideHelp();
  command.usage(`${command.usage()}\n\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  // The explanations at the end are part of the long help. A command is an emitter, though its type does not say so.
  (command as unknown as EventEmitter).removeAllListeners('afterHelp');
  command.addHelpText('after', `\n${rest.length} more options and how it works: ralph ${name} --help --all`);
}
