import type { Command } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withProofOptions, withProtectedSandbox } from '../../../cli/shared/sandbox-flags.ts';

const AFTER = `
Each task has its own worktree and branch. Its agent reports that it is done with
\`ralph task complete ID\`; the loop then checks its outputs and runs its verify commands, first
alone and then merged with the other tasks. Only green results move the branch you are on.
A failed task stays in progress for a person: ralph task show ID, ralph task reset ID.

The stories of a tasks.json are worked on in place, on their own branch: one agent implements a
story, another reviews it with a fresh context. A story counts when the review has approved it and
every verify command is green. Answer the question of an agent with ralph answer "…".

Examples:
  ralph work --agent claude
  ralph work --plan task-graph.yaml --story S-012 --workers 4 --check "npm test" --max-cost 20
  ralph work --plan ralph/tasks.json --agent claude --review-agent codex`;

export function addWork(program: Command, finish: Finish): void {
  const work = program.command('work').description('Work on the tasks of a plan, with one or many agents, and merge what is proven.');
  for (const add of [addPlan, addAgent, addProof, addReview, addLimits, withProtectedSandbox, addOutput]) add(work);
  work.addHelpText('after', AFTER).action(async (options) => finish(await (await import('./work.ts')).workCommand(options)));
}

function addPlan(work: Command): void {
  work
    .optionsGroup('Plan:')
    .option('--plan <path>', 'task-graph.yaml, a folder of tickets, or tasks.json (default: the only one found here)')
    .option('--ralph-dir <path>', 'the folder of tasks.json, prd.md, prompt.md and progress.txt (ralph)')
    .option('-d, --project-dir <path>', 'where to work (the current directory)')
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeat it for more', collect)
    .option('--template <path>', 'a file with the prompt of a task; ralph task prompt --print-template shows the built-in one')
    .option('--prompt-command <command>', 'a command that prints the prompt of the next task: exit 0 = its prompt, 1 = no work, else retry')
    .option('--resume [run]', 'continue a run that was killed or stopped (default: the newest)');
}

function addAgent(work: Command): void {
  work
    .optionsGroup('Agents:')
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('-m, --model <name>', 'the model for the agent')
    .option('--autonomy <level>', 'what the agent may do without asking: full, edits or ask (full)')
    .option('--workers <n>', 'how many tasks run at once (1)')
    .option('--pause <duration>', 'the pause of a worker between two tasks (2s)');
}

function addProof(work: Command): void {
  const proof = work
    .optionsGroup('Proof:')
    .option('--check <command>', 'a shell command that must exit 0 for every task, alone and merged; repeat it for more', collect)
    .option('--require-proof', 'refuse to start while a task has neither a check nor an output')
    .option('--unproven-tries <n>', 'how often a task is retried when its checks fail (2)')
    .option('--retry-failed <n>', 'how often a failed or unfinished task is retried (0)')
    .option('--resolve-tries <n>', 'how often an agent may try to resolve a merge conflict (1)')
    .option('--allow-dirty', 'start although this work tree has uncommitted changes');
  withProofOptions(proof);
}

function addReview(work: Command): void {
  work
    .optionsGroup('Reviews of the stories of a tasks.json:')
    .option('--skip-review', 'no review: a story passes when its verify commands are green')
    .option('--review-cap <n>', 'the last review of a story: it approves the story and notes the open concerns (5)')
    .option('--fail-on-cap', 'exit 1 when a story was approved only at the cap')
    .option('--reviews <n>', 'the number of reviewers each time; all must approve (1)')
    .option('--review-agent <command>', 'review with another agent than the one that implements')
    .option('--create-branch', 'check out the branch of tasks.json; create it if it is missing')
    .option('--wait', 'keep running when every remaining story waits for an answer')
    .option('--no-hooks', 'do not use the hooks of claude; the loop checks after every attempt anyway');
}

function addLimits(work: Command): void {
  work
    .optionsGroup('Limits:')
    .option('-n, --max-iterations <n>', 'maximum number of tasks, retries included (no limit; 15 for tasks.json)')
    .option('--max-failures <n>', 'stop after more than this many failed tries (no limit)')
    .option('--max-cost <usd>', 'maximum cost in US dollars, for all workers together (no limit)')
    .option('--max-time <duration>', 'maximum time such as 8h, for all workers together (no limit)')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when the remaining tasks wait for a person')
    .option('--idle-timeout <duration>', 'stop an agent after this long without output (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'stop an agent that runs longer than this (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait at most this long for usage limits, in total (6h, 0 = no limit)');
}

function addOutput(work: Command): void {
  work
    .optionsGroup('Output:')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more');
}
