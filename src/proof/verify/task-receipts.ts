import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { startIn } from '../../store/run-home.ts';
import { gitAt } from '../../workspace/worktrees/open.ts';
import type { Trust } from '../receipts/trusted-keys.ts';
import { receiptFile, TASK_RECEIPTS } from '../write-receipt.ts';
import { type FoundReceipt, named, readReceipt } from './read-receipt.ts';

/** The branch into which a run merges the tasks of its plan; null if it has no plan. */
export async function planOf(runFolder: string): Promise<string | null> {
  const { work } = ((await startIn(runFolder))?.line['settings'] ?? {}) as { readonly work?: { readonly base?: unknown } | null };
  return typeof work?.base === 'string' ? work.base : null;
}

interface Wanted {
  readonly run: string;
  readonly folder: string;
  /** Null for all tasks. */
  readonly task: string | null;
  readonly base: string;
}

interface Place {
  readonly cwd: string;
  readonly trust: Trust;
}

/** The receipts of every task that the run has merged, according to its journal, and of every other file in the folder. */
export async function receiptsOfTasks(wanted: Wanted, place: Place): Promise<readonly FoundReceipt[]> {
  const { run, folder, task: asked } = wanted;
  const tasks = (await mergedTasks(folder)).filter((task) => asked === null || task === asked);
  const known = new Set(tasks.map((task) => basename(receiptFile(task))));
  const strays = asked === null ? (await filesIn(join(folder, TASK_RECEIPTS))).filter((file) => !known.has(file)) : [];
  if (tasks.length + strays.length === 0)
    throw new OperatorError('receipt-missing', `${asked === null ? '' : `task ${asked} of `}run ${run} has no receipt`, {
      hint: 'A task has one once it is merged.',
      exitCode: 2,
    });
  const found = await Promise.all(tasks.map((task) => receiptOfTask(task, wanted, place)));
  return [...found, ...strays.map((file) => stray(file, run))];
}

const stray = (file: string, run: string): FoundReceipt => ({
  ...{ of: `${file} of run ${run}`, task: null },
  ...{ kind: 'not-valid', problem: 'the run has merged no task whose receipt this could be' },
});

/** Each task once, in the order of their receipts. A task that was merged when the run died has none yet. */
async function mergedTasks(folder: string): Promise<readonly string[]> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const written = events.flatMap(({ body }) => (body.type === 'receipt.written' && body.task !== undefined ? [body.task] : []));
  const { open } = events.reduce(evolve, emptyState);
  const unwritten = open.flatMap(({ currentTask, mergeProof }) =>
    currentTask?.merge?.result === 'merged' && mergeProof && !currentTask.hasReceipt ? [currentTask.task.id] : [],
  );
  return [...new Set([...written, ...unwritten])];
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json'));
}

async function receiptOfTask(task: string, { run, folder, base }: Wanted, { cwd, trust }: Place): Promise<FoundReceipt> {
  const about = { of: `task ${task} of run ${run}`, task };
  const file = await readText(join(folder, receiptFile(task)), 'refuse pipes');
  const missing = `it is not there; if the run was killed before it could write it: ralph runs resume ${run}`;
  const read = file.kind === 'text' ? readReceipt(file.text, trust) : file.why === 'missing' ? missing : file.reason;
  if (typeof read === 'string') return { ...about, kind: 'not-valid', problem: read };
  const problem = await misfit(read.receipt, { run, task, base, cwd });
  return problem === null ? { ...about, kind: 'receipt', ...read, tree: read.receipt.tree ?? '' } : { ...about, kind: 'not-valid', problem };
}

interface Fits extends Pick<Wanted, 'run' | 'base'> {
  readonly task: string;
  readonly cwd: string;
}

/** Why it does not belong to this task, or not to a commit on the base; null if it does. */
async function misfit({ merged, commit, tree, run }: Receipt, wanted: Fits): Promise<string | null> {
  if (merged === undefined) return 'it is about a run as a whole';
  if (run !== wanted.run) return `it is of run ${run}`;
  if (merged.id !== wanted.task) return `it is of task ${merged.id}`;
  if (commit === null || (await named(`${commit}^{commit}`, wanted.cwd)) !== commit) return `its commit ${commit} is not in this repository`;
  const held = await named(`${commit}^{tree}`, wanted.cwd);
  if (held !== tree) return `it is about the tree ${tree}, and its commit holds ${held}`;
  return (await isOn(wanted.base, commit, wanted.cwd)) ? null : `its commit ${commit} is not on ${wanted.base}`;
}

/** Whether the commit is on the base, or on the operator's branch of that name. */
async function isOn(base: string, commit: string, cwd: string): Promise<boolean> {
  const git = gitAt(cwd, environment());
  for (const ref of [`refs/ralph/base/${base}`, `refs/heads/${base}`]) if ((await git(['merge-base', '--is-ancestor', commit, ref])).code === 0) return true;
  return false;
}
