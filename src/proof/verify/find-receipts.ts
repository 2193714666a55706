import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { type Receipt, taskOfReceipt } from '../../journal/words/receipt.ts';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { storyWithoutReceipt } from '../../plans/review/next-turn.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { chooseRun, listRuns, runsFolderOf, startIn } from '../../store/run-home.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { receiptFile, TASK_RECEIPTS } from '../write-receipt.ts';
import { type FoundReceipt, named, readReceipt, type Trust } from './read-receipt.ts';

/** Where to look for receipts: in the note of a commit, or in the folder of a run, for all its tasks or for one. */
export type ReceiptPlace = { readonly commit: string } | { readonly run: string | null; readonly task: string | null };

export interface Found {
  /** The run to whose tasks they belong; null for a single receipt. */
  readonly tasksOf: string | null;
  readonly receipts: readonly FoundReceipt[];
}

interface Place {
  readonly cwd: string;
  readonly git: GitCli;
  readonly trust: Trust;
}

/** Throws an OperatorError if there is no receipt. */
export async function findReceipts(wanted: ReceiptPlace, place: Place): Promise<Found> {
  const { cwd, git } = place;
  const runsFolder = runsFolderOf(cwd, git);
  if ('commit' in wanted && !(await namesRun(wanted.commit, { cwd, runsFolder }))) return one(await ofCommit(wanted.commit, place));
  const { run: name, task } = 'run' in wanted ? wanted : { run: wanted.commit, task: null };
  const run = await chooseRun(name, runsFolder, cwd);
  const folder = join(runsFolder, run);
  const plan = await planOf(folder);
  if (plan === null && task === null) return one(await ofRun({ run, folder }, place));
  const receipts = await receiptsOfTasks({ run, folder, task, plan: plan ?? { kind: 'task', branch: '' } }, place);
  return { tasksOf: task === null ? run : null, receipts };
}

const one = (receipt: FoundReceipt): Found => ({ tasksOf: null, receipts: [receipt] });

/** Accepts the full id of a run, or the end of one if it does not name a commit. */
async function namesRun(name: string, { cwd, runsFolder }: { readonly cwd: string; readonly runsFolder: string }): Promise<boolean> {
  const runs = await listRuns(runsFolder);
  if (runs.includes(name)) return true;
  return runs.some((run) => run.endsWith(name)) && (await named(`${name}^{commit}`, cwd)) === null;
}

async function ofCommit(name: string, { cwd, git, trust }: Place): Promise<FoundReceipt> {
  const commit = await named(`${name}^{commit}`, cwd);
  if (commit === null)
    throw new OperatorError('no-such-commit', `${name} names no commit here`, { hint: 'Name a commit, a branch or a tag of this repository.', exitCode: 2 });
  const about = { of: `commit ${commit}`, task: null };
  const note = await git.history.readNote(commit);
  if (note === null) {
    throw new OperatorError('receipt-missing', `${about.of} has no receipt`, {
      hint: 'A loop writes one for its last commit, with --commit or --worktree, and ralph work for each merged task and each story that has passed; one without a commit lies with its run: ralph verify --run <id>. Those of others are fetched with: git fetch origin refs/notes/ralph:refs/notes/ralph',
      exitCode: 2,
    });
  }
  const tree = await named(`${commit}^{tree}`, cwd);
  const read = readReceipt(note, trust);
  if (typeof read === 'string') return { ...about, kind: 'not-valid', problem: read };
  const { tree: proven } = read.receipt;
  if (proven === null) return { ...about, kind: 'not-valid', problem: 'it is about no tree' };
  if (proven !== tree) return { ...about, kind: 'not-valid', problem: `it is about the tree ${proven}, and the commit holds ${tree}` };
  return { ...about, task: taskOfReceipt(read.receipt) ?? null, kind: 'receipt', ...read, tree };
}

async function ofRun({ run, folder }: { readonly run: string; readonly folder: string }, { cwd, trust }: Place): Promise<FoundReceipt> {
  const about = { of: `run ${run}`, task: null };
  const file = await readText(join(folder, receiptFile(undefined)), 'refuse pipes');
  if (file.kind === 'no-text' && file.why === 'missing') {
    throw new OperatorError('receipt-missing', `${about.of} has no receipt`, {
      hint: 'Only a loop whose checks were all green writes one, at its end.',
      exitCode: 2,
    });
  }
  const read = file.kind === 'text' ? readReceipt(file.text, trust) : file.reason;
  if (typeof read === 'string') return { ...about, kind: 'not-valid', problem: read };
  const { tree } = read.receipt;
  if (tree === null) return { ...about, kind: 'not-valid', problem: 'it names no tree that could be checked out' };
  if ((await named(`${tree}^{tree}`, cwd)) === null) return { ...about, kind: 'not-valid', problem: `the tree ${tree} is not in this repository any more` };
  return { ...about, kind: 'receipt', ...read, tree };
}

/** A run that leaves a receipt for each task or story, and the branch that must have their commits. */
export interface RunPlan {
  readonly kind: 'task' | 'story';
  readonly branch: string;
}

/** Null if the run has neither tasks nor stories. */
async function planOf(runFolder: string): Promise<RunPlan | null> {
  const { work, stories } = ((await startIn(runFolder))?.line['settings'] ?? {}) as {
    readonly work?: { readonly base?: unknown } | null;
    readonly stories?: { readonly branch?: unknown } | null;
  };
  if (typeof work?.base === 'string') return { kind: 'task', branch: work.base };
  return typeof stories?.branch === 'string' ? { kind: 'story', branch: stories.branch } : null;
}

interface Wanted {
  readonly run: string;
  readonly folder: string;
  /** Null for all tasks. */
  readonly task: string | null;
  readonly plan: RunPlan;
}

interface TasksPlace {
  readonly cwd: string;
  readonly trust: Trust;
}

/** The receipts of every task that the run has merged, or story that has passed, according to its journal, and of every other file in the folder. */
async function receiptsOfTasks(wanted: Wanted, place: TasksPlace): Promise<readonly FoundReceipt[]> {
  const { run, folder, task: asked, plan } = wanted;
  const tasks = (await provenTasks(folder)).filter((task) => asked === null || task === asked);
  const known = new Set(tasks.map((task) => basename(receiptFile(task))));
  const strays = asked === null ? (await filesIn(join(folder, TASK_RECEIPTS))).filter((file) => !known.has(file)) : [];
  if (tasks.length + strays.length === 0)
    throw new OperatorError('receipt-missing', `${asked === null ? '' : `${plan.kind} ${asked} of `}run ${run} has no receipt`, {
      hint: plan.kind === 'task' ? 'A task has one once it is merged.' : 'A story has one once it has passed its verify commands.',
      exitCode: 2,
    });
  const found = await Promise.all(tasks.map((task) => receiptOfTask(task, wanted, place)));
  return [...found, ...strays.map((file) => stray(file, wanted))];
}

const stray = (file: string, { run, plan }: Wanted): FoundReceipt => ({
  ...{ of: `${file} of run ${run}`, task: null },
  ...{
    kind: 'not-valid',
    problem: plan.kind === 'task' ? 'the run has merged no task whose receipt this could be' : 'no story has passed in the run whose receipt this could be',
  },
});

/** Each task once, in the order of their receipts. A task that was merged when the run died, or a story that passed then, has none yet. */
async function provenTasks(folder: string): Promise<readonly string[]> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const written = events.flatMap(({ body }) => (body.type === 'receipt.written' && body.task !== undefined ? [body.task] : []));
  const state = events.reduce(evolve, emptyState);
  const unwritten = state.open.flatMap((iteration) => {
    const { currentTask, mergeProof } = iteration;
    if (currentTask === null) return storyWithoutReceipt(iteration, state)?.story.id ?? [];
    return currentTask.merge?.result === 'merged' && mergeProof && !currentTask.hasReceipt ? [currentTask.task.id] : [];
  });
  return [...new Set([...written, ...unwritten])];
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json'));
}

async function receiptOfTask(task: string, { run, folder, plan }: Wanted, { cwd, trust }: TasksPlace): Promise<FoundReceipt> {
  const about = { of: `${plan.kind} ${task} of run ${run}`, task };
  const file = await readText(join(folder, receiptFile(task)), 'refuse pipes');
  const missing = `it is not there; if the run was killed before it could write it: ralph runs resume ${run}`;
  const read = file.kind === 'text' ? readReceipt(file.text, trust) : file.why === 'missing' ? missing : file.reason;
  if (typeof read === 'string') return { ...about, kind: 'not-valid', problem: read };
  const problem = await misfit(read.receipt, { run, task, plan, cwd });
  return problem === null ? { ...about, kind: 'receipt', ...read, tree: read.receipt.tree ?? '' } : { ...about, kind: 'not-valid', problem };
}

interface Fits extends Pick<Wanted, 'run' | 'plan'> {
  readonly task: string;
  readonly cwd: string;
}

/** Why it does not belong to this task or story, or not to a commit on the branch; null if it does. */
async function misfit({ merged, story, commit, tree, run }: Receipt, wanted: Fits): Promise<string | null> {
  const { kind, branch } = wanted.plan;
  const about = kind === 'task' ? merged : story;
  if (about === undefined) return (merged ?? story) ? `it is of no ${kind}` : 'it is about a run as a whole';
  if (run !== wanted.run) return `it is of run ${run}`;
  if (about.id !== wanted.task) return `it is of ${kind} ${about.id}`;
  if (commit === null || (await named(`${commit}^{commit}`, wanted.cwd)) !== commit) return `its commit ${commit} is not in this repository`;
  const held = await named(`${commit}^{tree}`, wanted.cwd);
  if (held !== tree) return `it is about the tree ${tree}, and its commit holds ${held}`;
  return (await isOn(wanted.plan, commit, wanted.cwd)) ? null : `its commit ${commit} is not on ${branch}`;
}

/** Whether the commit is on the base, or on the operator's branch of that name. The branch of stories may be gone once it is merged into what is checked out. */
async function isOn({ kind, branch }: RunPlan, commit: string, cwd: string): Promise<boolean> {
  const git = gitAt(cwd, environment());
  const refs = [kind === 'task' ? `refs/ralph/base/${branch}` : 'HEAD', `refs/heads/${branch}`];
  for (const ref of refs) if ((await git(['merge-base', '--is-ancestor', commit, ref])).code === 0) return true;
  return false;
}
