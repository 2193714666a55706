import type { Command } from 'commander';
import { AGENT_HELP } from '../../../agents/definitions.ts';
import { agentsOption, collect, type Finish, otherName, repeatable } from '../../../cli/shared/flags.ts';
import { addOptions, OUTPUT_OPTIONS, PROOF_OPTIONS, SANDBOX_OPTIONS } from '../../../cli/shared/setting-options.ts';

const AFTER = `
Each task gets its own worktree and branch. Its agent reports completion with
\`ralph task complete ID\`, or by ending with DONE. The loop then checks the outputs of the task and runs its verify
commands, first alone, then merged with the work of the others. Only green work moves your branch.
A failed task stays in progress until a person resets it: ralph task show ID, ralph task reset ID.

Agents work on the stories of a tasks.json in place, on one branch: one agent implements a story,
another reviews it with fresh context. A story is done when the review has approved it and every
verify command is green. To answer a question of an agent: ralph answer "…".

Examples:
  ralph work --agent claude
  ralph work --plan task-graph.yaml --story S-012 --workers 4 --check "npm test" --max-cost 20
  ralph work --plan ralph/tasks.json --agent claude --review-agent codex`;

export function addWork(program: Command, finish: Finish): void {
  const work = program.command('work').description('Work on the tasks of a plan with one or more agents, and merge what is proven.');
  addOptions(work, 'work', [
    { title: 'Plan:', options: PLAN },
    { title: 'Agent:', group: 'agent', options: AGENT },
    { title: 'Proof:', group: 'proof', options: PROOF },
    { title: 'Reviews (tasks.json only):', options: REVIEWS },
    { title: 'Limits:', group: 'limits', options: LIMITS },
    SANDBOX_OPTIONS,
    { title: 'Output:', group: 'output', options: [DRY_RUN, ...OUTPUT_OPTIONS] },
  ]);
  work.addHelpText('after', AFTER).action(async (options) => finish(await (await import('./work.ts')).workCommand(options)));
}

const PLAN = [
  ['--plan <path>', 'the plan, such as task-graph.yaml, prd.json, TODO.md or a folder of tickets (detected if there is only one)'],
  ['--store <url>', 'share the plan with other machines, by this PostgreSQL database (RALPH_STORE; see ralph fleet)'],
  ['--ralph-dir <path>', 'the folder of tasks.json, prd.md, prompt.md and progress.txt (ralph)'],
  ['-d, --project-dir <path>', 'the project directory (default: this one)'],
  ['--story <id>', 'only tasks of this story'],
  ['--milestone <id>', 'only tasks of this milestone'],
  repeatable('--tag <tag>', 'only tasks with this tag; repeatable'),
  ['--template <path>', 'your own prompt template; ralph task prompt --print-template shows the built-in one'],
  ['--prompt-command <command>', 'a command that prints the prompt of the next task: exit 0 = prompt printed, 1 = no work, else retry'],
  ['--resume [run]', 'continue a run that was killed or stopped (default: the newest)'],
] as const;

const AGENT = [
  { flag: '--agent', help: AGENT_HELP },
  agentsOption,
  '--agent-kind',
  '--model',
  '--autonomy',
  '--label',
  ['--workers <n>', 'number of tasks to work on at the same time (1)'],
  ['--pause <duration>', 'the pause of a worker between two tasks (2s)'],
] as const;

const PROOF = [
  repeatable('--check <command>', 'a shell command that must exit 0 for every task, alone and merged; repeatable'),
  () => otherName('--guardrail <command>', 'check').argParser(collect),
  '--require-proof',
  ['--unproven-tries <n>', 'how often a task is retried when its checks fail (2)'],
  ['--retry-failed <n>', 'how often a failed or unfinished task is retried (0; 2 if its agent was killed)'],
  ['--flaky-retries <n>', 'how often to run a red check again at once, to detect flaky ones (1)'],
  ['--resolve-tries <n>', 'how often an agent may try to resolve a merge conflict (1)'],
  ['--allow-dirty', 'start even if this work tree has uncommitted changes'],
  ...PROOF_OPTIONS,
] as const;

const REVIEWS = [
  ['--skip-review', 'no review: a story passes when its verify commands are green'],
  ['--review-cap <n>', 'reviews per story; the last one approves it and notes what is left to do (5)'],
  ['--fail-on-cap', 'exit 1 if a story was approved only because of the review cap'],
  ['--reviews <n>', 'number of reviewers each time; all must approve (1)'],
  ['--review-agent <command>', 'the agent that reviews (the next one in --agents, else the one that implements)'],
  ['--create-branch', 'check out the branch named in tasks.json; create it if needed'],
  ['--wait', 'keep running while all remaining stories wait for an answer'],
  ['--no-hooks', 'do not install the hooks of claude; the loop still checks after every attempt'],
] as const;

const LIMITS = [
  ['-n, --max-iterations <n>', 'maximum number of iterations; each try of a task counts (no limit; 15 for tasks.json)'],
  () => otherName('--maximum-iterations <n>', 'max-iterations'),
  ['--max-failures <n>', 'stop after more than this many failed tries (no limit)'],
  '--stuck-after',
  ['--max-cost <usd>', 'maximum cost in US dollars, for all workers together (no limit)'],
  '--max-cost-per-day',
  ['--max-time <duration>', 'maximum duration, such as 8h, for all workers together (no limit)'],
  ['--fail-on-blocked', 'exit 3 instead of 0 when only human work remains'],
  '--idle-timeout',
  '--iteration-timeout',
  '--max-limit-wait',
] as const;

const DRY_RUN = ['--dry-run', 'print the order of the tasks and the first prompt, run nothing'] as const;
