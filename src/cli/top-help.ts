import type { Command } from 'commander';

interface Group {
  readonly heading: string;
  /** The name of each command, and what it is for in one line. */
  readonly commands: Readonly<Record<string, string>>;
}

/** The commands that most people need. Every other command is named in one line at the end, and described by `ralph --help --all`. */
export const GROUPS: readonly Group[] = [
  {
    heading: 'Start',
    commands: {
      run: 'repeat your prompt until it is done and every check is green',
      loop: 'the same for a task: Ralph writes each prompt, with what was red',
      work: 'work off a plan, task by task, with one or more agents',
      supervise: 'keep one agent alive until its task is done',
      demo: 'watch a real loop now; needs no key and no network',
    },
  },
  {
    heading: 'Plan',
    commands: {
      plan: 'write a plan with an agent, check it, show it, archive it',
      task: 'show, take, finish and reset the tasks of a plan',
    },
  },
  {
    heading: 'Watch and answer',
    commands: {
      watch: 'what every worker does, what it costs, what waits for you',
      ui: 'the same in a browser',
      status: 'one run, or the newest',
      inbox: 'everything that waits for you, with the command for each',
      answer: 'answer a question of an agent; its run goes on',
      runs: 'list, pause, stop and resume runs',
      report: 'what a run has proven, what not and why, what it cost',
    },
  },
  {
    heading: 'Prove and take back',
    commands: {
      accept: 'allow a claim that is held because tests were changed',
      gates: 'what your checks prove, and with --try whether they can fail',
      verify: 'check a receipt again in a fresh checkout',
      diff: 'the changes of one run, or the newest',
      undo: 'take the changes of a run back',
    },
  },
  {
    heading: 'Set up',
    commands: {
      init: 'write the settings from what is found here',
      doctor: 'check whether a run could work here',
      config: 'show every setting and where it comes from',
      completion: 'let your shell complete commands, run ids and task ids',
    },
  },
];

export const EXAMPLES: readonly string[] = [
  'ralph loop "Make the tests pass" --agent claude --check "npm test"',
  'ralph work --plan TODO.md --workers 2',
  'ralph watch',
];

const NAME_COLUMNS = 12;
const WIDTH = 80;

/** `ralph --help`: a screen that a person can read at once. */
export function shortenTopHelp(program: Command): void {
  const rest = program.commands.map((command) => command.name()).filter((name) => !GROUPS.some(({ commands }) => Object.hasOwn(commands, name)));
  // A command that is there already keeps the usual form.
  program.configureHelp({ formatHelp: () => topHelp(program, rest) });
}

function topHelp(program: Command, rest: readonly string[]): string {
  const rows = GROUPS.flatMap(({ heading, commands }) => [
    `${heading}:`,
    ...Object.entries(commands).map(([name, purpose]) => `  ${name.padEnd(NAME_COLUMNS)}${purpose}`),
  ]);
  const lines = [
    `Usage: ralph ${program.usage()}`,
    '',
    'Runs an agent until its work is proven done. Alone, ralph says what fits here.',
    '',
    'Examples:',
    ...EXAMPLES.map((example) => `  ${example}`),
    '',
    ...rows,
    ...folded(`More: ${rest.join(', ')}`),
    '',
    'ralph <command> --help shows its options, ralph --help --all every command.',
  ];
  return `${lines.join('\n')}\n`;
}

/** In lines that fit, the later ones indented. */
function folded(text: string): readonly string[] {
  if (text.length <= WIDTH) return [text];
  const end = text.lastIndexOf(' ', WIDTH);
  return [text.slice(0, end), ...folded(`  ${text.slice(end + 1)}`)];
}
