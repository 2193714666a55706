import { shellQuote } from '../kit/pure/shell-words.ts';

const WATCH = 'Watch the runs with: ralph watch; or the output of one with: ralph runs tail RUN --follow';
const BROWSER = 'See the runs in a browser with: ralph ui';

/** What people call our commands who come from another loop, or guess. */
const COMMANDS: Readonly<Record<string, string>> = {
  start: 'Start a run with: ralph run "Make the tests pass, then answer DONE" --agent claude',
  go: 'Start a run with: ralph run "Make the tests pass, then answer DONE" --agent claude',
  exec: 'Start a run with: ralph run "Make the tests pass, then answer DONE" --agent claude',
  resume: 'Continue a run with: ralph runs resume',
  continue: 'Continue a run with: ralph runs resume',
  retry: 'Continue a run with: ralph runs resume',
  stop: 'Stop a run with: ralph runs stop RUN; ralph runs list shows the runs.',
  kill: 'Stop a run with: ralph runs stop RUN --force; ralph runs list shows the runs.',
  cancel: 'Stop a run with: ralph runs stop RUN; ralph runs list shows the runs.',
  pause: 'Pause a run with: ralph runs pause',
  list: 'List the runs with: ralph runs list',
  ls: 'List the runs with: ralph runs list',
  loops: 'List the runs with: ralph runs list',
  ps: 'List the runs with: ralph runs list',
  history: 'List the runs with: ralph runs list --all',
  show: 'Show a run with: ralph runs show RUN',
  tail: 'Watch a run with: ralph runs tail RUN --follow',
  monitor: WATCH,
  attach: WATCH,
  tui: WATCH,
  clean: 'Remove old runs with: ralph runs prune',
  prune: 'Remove old runs with: ralph runs prune',
  import: 'A plan needs no import, work on its file: ralph work --plan FILE; for GitHub issues: ralph plan github --label NAME',
  convert: 'A plan needs no conversion, work on its file: ralph work --plan FILE',
  tasks: 'List the tasks of a plan with: ralph task list',
  next: 'Work on the next tasks of a plan with: ralph work',
  prd: 'Begin a list of stories with: ralph plan init',
  'create-prd': 'Write a list of stories with an agent: ralph plan new',
  setup: 'Write the settings with: ralph init',
  install: 'Write the settings with: ralph init',
  settings: 'Show the settings with: ralph config show',
  preflight: 'Check whether a run could work here with: ralph doctor',
  check: 'See what your checks prove with: ralph gates',
  validate: 'Validate a plan with: ralph task check, or its stories with: ralph plan check',
  approve: 'Accept a held claim with: ralph accept',
  allow: 'Accept a held claim with: ralph accept',
  reply: 'Answer a question of an agent with: ralph answer "…"',
  revert: 'Take back what a run changed with: ralph undo RUN',
  rollback: 'Take back what a run changed with: ralph undo RUN',
  web: BROWSER,
  dashboard: BROWSER,
  serve: BROWSER,
  version: 'Print the version with: ralph --version',
};

/** Null if nobody calls anything so. */
export function hintForCommand(word: string): string | null {
  if (Object.hasOwn(COMMANDS, word)) return COMMANDS[word] ?? null;
  return /\s/.test(word) ? `For a prompt: ralph run ${shellQuote(word)}` : null;
}

const AGENT = 'The agent is --agent, such as: --agent claude';
const AGENTS = 'Agents that take over from each other are --agents, such as: --agents claude,codex';
const ITERATIONS = 'The limit is --max-iterations, such as: --max-iterations 20';
const PLAN = 'Work on the tasks of a file with: ralph work --plan FILE';
const WORKERS = 'Several agents at a time: ralph work --workers 4';
const DONE_WORD = 'The word that claims completion: ralph run -c DONE, or ralph loop --completion-tag COMPLETE';
const PLAIN = 'Leave it out: Ralph asks nothing and prints plain lines.';
const CHECK = 'A command that must exit 0 is --check, such as: --check "npm test"';
const NO_REMOTE = 'Leave it out: Ralph pushes nothing unless "push" is one of the scm.tasks in .ralph/settings.json.';

/** Flags of other loops. */
const FLAGS: Readonly<Record<string, string>> = {
  '--prd': PLAN,
  '--plan-file': PLAN,
  '--tasks': PLAN,
  '--yaml': PLAN,
  '--epic': PLAN,
  '--tool': AGENT,
  '--backend': AGENT,
  '--provider': AGENT,
  '--claude': AGENT,
  '--codex': AGENT,
  '--opencode': AGENT,
  '--gemini': AGENT,
  '--amp': AGENT,
  '--iterations': ITERATIONS,
  '--max-runs': ITERATIONS,
  '--max-loops': ITERATIONS,
  '--limit': ITERATIONS,
  '--max-duration': 'The limit of a whole run: ralph loop --max-time 2h',
  '--max-budget-usd': 'The limit of a whole run: ralph loop --max-cost 5',
  '--timeout': 'The limit of one agent is --iteration-timeout, such as: --iteration-timeout 30m',
  '--session-timeout': 'The limit of one agent is --iteration-timeout, such as: --iteration-timeout 30m',
  '--parallel': WORKERS,
  '--max-parallel': WORKERS,
  '--completion-promise': DONE_WORD,
  '--completion-signal': DONE_WORD,
  '--promise': DONE_WORD,
  '--headless': PLAIN,
  '--no-tui': PLAIN,
  '--no-questions': PLAIN,
  '--monitor': WATCH,
  '--tui': WATCH,
  '--serve': BROWSER,
  '--rotation': AGENTS,
  '--fallback': AGENTS,
  '--fallback-agent': AGENTS,
  '--wait': 'Leave it out: usage limits are waited out. The most to wait is --max-limit-wait, such as: --max-limit-wait 6h',
  '--max-tokens': 'Ralph counts money, not tokens, such as: --max-cost 5',
  '--github': 'GitHub issues become a plan with: ralph plan github --label NAME',
  '--github-label': 'GitHub issues become a plan with: ralph plan github --label NAME',
  '--base-branch': 'Leave it out: Ralph merges into the branch that is checked out.',
  '--yolo': 'Leave it out: an agent may do everything inside its sandbox (--autonomy full).',
  '--dangerously-skip-permissions': 'Leave it out: an agent may do everything inside its sandbox (--autonomy full).',
  '--validate': CHECK,
  '--verify-command': CHECK,
  '--test-command': CHECK,
  '--continue': 'Continue a run with: ralph runs resume',
  '--create-pr': NO_REMOTE,
  '--draft-pr': NO_REMOTE,
  '--pr': NO_REMOTE,
  '--push': NO_REMOTE,
  '--branch-per-task': 'Leave it out: every task has a branch and a worktree of its own.',
};

/** Null if the flag is of no other loop that we know. */
export function hintForFlag(flag: string): string | null {
  const [name = ''] = flag.split('=');
  return Object.hasOwn(FLAGS, name) ? (FLAGS[name] ?? null) : null;
}
