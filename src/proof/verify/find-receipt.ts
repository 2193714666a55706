import { join } from 'node:path';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { Receipt } from '../../journal/words/receipt.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { chooseRun, runsFolderOf } from '../../store/run-home.ts';
import { gitAt } from '../../workspace/worktrees/git-at.ts';

/** Where a receipt is to be looked for: as the note of a commit, or in the folder of a run. */
export type ReceiptPlace = { readonly commit: string } | { readonly run: string };

/** A receipt that fits what it lies with, or why what lies there is none. */
export type FoundReceipt = { readonly of: string } & (
  | { readonly kind: 'receipt'; readonly receipt: Receipt; readonly tree: string }
  | { readonly kind: 'not-valid'; readonly problem: string }
);

/** Throws an OperatorError where there is nothing at all. */
export async function findReceipt(place: ReceiptPlace, cwd: string, git: GitCli): Promise<FoundReceipt> {
  return 'run' in place ? await ofRun(place.run, cwd, git) : await ofCommit(place.commit, cwd, git);
}

async function ofCommit(name: string, cwd: string, git: GitCli): Promise<FoundReceipt> {
  const commit = await named(`${name}^{commit}`, cwd);
  if (commit === null)
    throw new OperatorError('no-such-commit', `${name} names no commit here`, { hint: 'Name a commit, a branch or a tag of this repository.', exitCode: 2 });
  const of = `commit ${commit}`;
  const note = await git.history.readNote(commit);
  if (note === null) {
    throw new OperatorError('receipt-missing', `${of} has no receipt`, {
      hint: 'A loop writes one for its last commit, with --commit or --worktree; one without a commit lies with its run: ralph verify --run <id>. Those of others are fetched with: git fetch origin refs/notes/ralph:refs/notes/ralph',
      exitCode: 2,
    });
  }
  const tree = await named(`${commit}^{tree}`, cwd);
  const read = readReceipt(note);
  if (typeof read === 'string') return { of, kind: 'not-valid', problem: read };
  if (read.tree === null) return { of, kind: 'not-valid', problem: 'it is about no tree' };
  if (read.tree !== tree) return { of, kind: 'not-valid', problem: `it is about the tree ${read.tree}, and the commit holds ${tree}` };
  return { of, kind: 'receipt', receipt: read, tree };
}

async function ofRun(wanted: string, cwd: string, git: GitCli): Promise<FoundReceipt> {
  const runsFolder = runsFolderOf(cwd, git);
  const run = await chooseRun(wanted, runsFolder, cwd);
  const of = `run ${run}`;
  const file = await readText(join(runsFolder, run, 'receipt.json'), 'refuse pipes');
  if (file.kind === 'no-text' && file.why === 'missing') {
    throw new OperatorError('receipt-missing', `${of} has no receipt`, {
      hint: 'Only a loop whose checks were all green writes one, at its end.',
      exitCode: 2,
    });
  }
  const read = file.kind === 'text' ? readReceipt(file.text) : file.reason;
  if (typeof read === 'string') return { of, kind: 'not-valid', problem: read };
  if (read.tree === null) return { of, kind: 'not-valid', problem: 'it names no tree that could be checked out' };
  if ((await named(`${read.tree}^{tree}`, cwd)) === null) return { of, kind: 'not-valid', problem: `the tree ${read.tree} is not in this repository any more` };
  return { of, kind: 'receipt', receipt: read, tree: read.tree };
}

/** The receipt, or in one line why the text is none. */
function readReceipt(text: string): Receipt | string {
  const json = parsed(text);
  if (typeof json !== 'object' || json === null) return 'it is not JSON that a loop has written';
  if ('version' in json && json.version !== 1) return `it is of version ${JSON.stringify(json.version)}, which this ralph does not know`;
  const { data, error } = Receipt.safeParse(json);
  return data ?? `${error?.issues[0]?.path.join('.') || 'it'} is not as a loop writes it`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function named(name: string, cwd: string): Promise<string | null> {
  const { code, stdout } = await gitAt(cwd, environment())(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  return code === 0 ? stdout.trim() : null;
}
