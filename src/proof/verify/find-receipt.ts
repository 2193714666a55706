import { join } from 'node:path';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { chooseRun, listRuns, runsFolderOf } from '../../store/run-home.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import type { Trust } from '../receipts/trusted-keys.ts';
import { receiptFile } from '../write-receipt.ts';
import { type FoundReceipt, named, readReceipt } from './read-receipt.ts';
import { planOf, receiptsOfTasks } from './task-receipts.ts';

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
  const base = await planOf(folder);
  if (base === null && task === null) return one(await ofRun({ run, folder }, place));
  return { tasksOf: task === null ? run : null, receipts: await receiptsOfTasks({ run, folder, task, base: base ?? '' }, place) };
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
      hint: 'A loop writes one for its last commit, with --commit or --worktree, and ralph work for each merged task; one without a commit lies with its run: ralph verify --run <id>. Those of others are fetched with: git fetch origin refs/notes/ralph:refs/notes/ralph',
      exitCode: 2,
    });
  }
  const tree = await named(`${commit}^{tree}`, cwd);
  const read = readReceipt(note, trust);
  if (typeof read === 'string') return { ...about, kind: 'not-valid', problem: read };
  const { tree: proven } = read.receipt;
  if (proven === null) return { ...about, kind: 'not-valid', problem: 'it is about no tree' };
  if (proven !== tree) return { ...about, kind: 'not-valid', problem: `it is about the tree ${proven}, and the commit holds ${tree}` };
  return { ...about, task: read.receipt.merged?.id ?? null, kind: 'receipt', ...read, tree };
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
