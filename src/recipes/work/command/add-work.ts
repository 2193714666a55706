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
    .optionsGroup('What is to be done:')
    .option('--plan <path>', 'task-graph.yaml, a folder of tickets, or tasks.json (the only one found here)')
    .option('--ralph-dir <path>', 'the folder of tasks.json, prd.md, prompt.md and progress.txt (ralph)')
    .option('-d, --project-dir <path>', 'where to work (the current directory)')
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeat it for more', collect)
    .option('--template <path>', 'a file with the prompt of a task; ralph task prompt --print-template shows the built-in one')
    .option('--prompt-command <command>', 'a command that prints the prompt of the next task: exit 0 = its prompt, 1 = no work, else try again')
    .option('--resume [run]', 'continue a run that was killed or stopped; the newest if none is named');
}

function addAgent(work: Command): void {
  work
    .optionsGroup('By whom:')
    .option('--agent <command>', 'claude, codex, amp, opencode, gemini or any other command')
    .option('--agent-kind <kind>', 'how to speak with the agent, when its name does not tell')
    .option('-m, --model <name>', 'the model the agent is told to use')
    .option('--autonomy <level>', 'what the agent may do unasked: full, edits or ask (full)')
    .option('--workers <n>', 'so many tasks at once (1)')
    .option('--pause <duration>', 'how long a worker rests between two tasks (2s)');
}

function addProof(work: Command): void {
  const proof = work
    .optionsGroup('What proves that it is done:')
    .option('--check <command>', 'a shell command that must exit 0 for every task, alone and merged; repeat it for more', collect)
    .option('--require-proof', 'refuse to start while a task has neither a check nor an output')
    .option('--unproven-tries <n>', 'give a task back so often whose claim is not proven (2)')
    .option('--retry-failed <n>', 'try a task again so often that failed or was left unfinished (0)')
    .option('--resolve-tries <n>', 'let an agent try so often to resolve a merge conflict (1)')
    .option('--allow-dirty', 'start although this work tree has changes that are not committed');
  withProofOptions(proof);
}

function addReview(work: Command): void {
  work
    .optionsGroup('How stories of a tasks.json are reviewed:')
    .option('--skip-review', 'no fresh-context review: a story passes when its verify commands do')
    .option('--review-cap <n>', 'the last review of a story approves it and notes what is left (5)')
    .option('--fail-on-cap', 'exit 1 when a story was approved only at the cap')
    .option('--reviews <n>', 'ask so many reviewers each time; all must approve (1)')
    .option('--review-agent <command>', 'review with another agent than the one that implements')
    .option('--create-branch', 'check out the branch of tasks.json, and make it where there is none')
    .option('--wait', 'stay when every story that is left waits for an answer')
    .option('--no-hooks', 'do not wire the hooks of claude; the loop checks after every attempt all the same');
}

function addLimits(work: Command): void {
  work
    .optionsGroup('When it is enough:')
    .option('-n, --max-iterations <n>', 'tasks at most, each try counted (no limit; 15 for tasks.json)')
    .option('--max-failures <n>', 'stop once more tries than that came to nothing (no limit)')
    .option('--max-cost <usd>', 'US dollars at most, for the whole crew (no limit)')
    .option('--max-time <duration>', 'such as 8h, for the whole crew (no limit)')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when what is left waits for somebody')
    .option('--idle-timeout <duration>', 'end an agent that prints nothing for so long (20m, 0 = never)')
    .option('--iteration-timeout <duration>', 'end an agent that runs longer (3h, 0 = never)')
    .option('--max-limit-wait <duration>', 'wait for usage limits no longer than this in all (6h, 0 = for ever)');
}

function addOutput(work: Command): void {
  work
    .optionsGroup('What is printed:')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more');
}
