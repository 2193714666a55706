import type { Command } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withProtectedSandbox } from '../../../cli/shared/sandbox-flags.ts';

const AFTER = `
Each task gets its own worktree and branch. Its agent reports completion with
\`ralph task complete ID\`. The loop then checks the outputs of the task and runs its verify
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
  for (const add of [addPlan, addAgent, addProof, addReview, addLimits, withProtectedSandbox, addOutput]) add(work);
  work.addHelpText('after', AFTER).action(async (options) => finish(await (await import('./work.ts')).workCommand(options)));
}

function addPlan(work: Command): void {
  work
    .optionsGroup('Plan:')
    .option('--plan <path>', 'task-graph.yaml, a folder of tickets, or tasks.json (detected if there is only one)')
    .option('--ralph-dir <path>', 'the folder of tasks.json, prd.md, prompt.md and progress.txt (ralph)')
    .option('-d, --project-dir <path>', 'the project directory (default: this one)')
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeatable', collect)
    .option('--template <path>', 'your own prompt template; ralph task prompt --print-template shows the built-in one')
    .option('--prompt-command <command>', 'a command that prints the prompt of the next task: exit 0 = prompt printed, 1 = no work, else retry')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)');
}

function addAgent(work: Command): void {
  work
    .optionsGroup('Agent:')
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('-m, --model <name>', 'the model the agent uses')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('--workers <n>', 'number of tasks to work on at the same time (1)')
    .option('--pause <duration>', 'the pause of a worker between two tasks (2s)');
}

function addProof(work: Command): void {
  const proof = work
    .optionsGroup('Proof:')
    .option('--check <command>', 'a shell command that must exit 0 for every task, alone and merged; repeatable', collect)
    .option('--require-proof', 'refuse to start if a task has neither a check nor an output')
    .option('--unproven-tries <n>', 'how often a task is retried when its checks fail (2)')
    .option('--retry-failed <n>', 'how often a failed or unfinished task is retried (0)')
    .option('--resolve-tries <n>', 'how often an agent may try to resolve a merge conflict (1)')
    .option('--allow-dirty', 'start even if this work tree has uncommitted changes');
  withProofOptions(proof);
}

function addReview(work: Command): void {
  work
    .optionsGroup('Reviews (tasks.json only):')
    .option('--skip-review', 'no review: a story passes when its verify commands are green')
    .option('--review-cap <n>', 'reviews per story; the last one approves it and notes what is left to do (5)')
    .option('--fail-on-cap', 'exit 1 if a story was approved only because of the review cap')
    .option('--reviews <n>', 'number of reviewers each time; all must approve (1)')
    .option('--review-agent <command>', 'the agent that reviews (the one that implements)')
    .option('--create-branch', 'check out the branch named in tasks.json; create it if needed')
    .option('--wait', 'keep running while all remaining stories wait for an answer')
    .option('--no-hooks', 'do not install the hooks of claude; the loop still checks after every attempt');
}

function addLimits(work: Command): void {
  work
    .optionsGroup('Limits:')
    .option('-n, --max-iterations <n>', 'maximum number of iterations; each try of a task counts (no limit; 15 for tasks.json)')
    .option('--max-failures <n>', 'stop after more than this many failed tries (no limit)')
    .option('--max-cost <usd>', 'maximum cost in US dollars, for all workers together (no limit)')
    .option('--max-time <duration>', 'maximum duration, such as 8h, for all workers together (no limit)')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when only human work remains')
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'maximum total wait for usage limits (6h, 0 = unlimited)');
}

function addOutput(work: Command): void {
  work
    .optionsGroup('Output:')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more');
}
