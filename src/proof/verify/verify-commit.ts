import { mkdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Receipt } from '../../journal/words/receipt.ts';
import { explaining } from '../../kit/files/explaining.ts';
import { readText } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { ms } from '../../settings/run-limits.ts';
import { LOOP_DEFAULTS } from '../../settings/schema/loop-settings.ts';
import { chooseRun, listRuns, runsFolderOf, startIn } from '../../store/run-home.ts';
import { type GitCli, openGitCli } from '../../workspace/git/git-cli.ts';
import { gitAt, isInside, ownWorktreeOf } from '../../workspace/worktrees/open.ts';
import { type RerunCheck, rerunChecks } from './rerun-checks.ts';

export interface VerifyRequest {
  readonly cwd: string;
  readonly place: ReceiptPlace;
  /** Of each check; null: that of the settings. */
  readonly timeoutMs: number | null;
  /** Once it is known what will be run. */
  readonly onReceipt: (of: string, receipt: Receipt) => void;
  readonly onCheck: (check: RerunCheck) => void;
}

export type Verification =
  | { readonly kind: 'verified'; readonly of: string; readonly receipt: Receipt; readonly checks: readonly RerunCheck[]; readonly asRecorded: boolean }
  /** What lies there is no receipt of this, or proves nothing. */
  | { readonly kind: 'not-valid'; readonly of: string; readonly problem: string }
  | { readonly kind: 'interrupted' };

/** Runs the checks of a receipt again in a fresh checkout of what it is about. Nothing of that is left when it resolves, however it ends. */
export function verifyCommit(request: VerifyRequest, signal: AbortSignal): Promise<Verification> {
  return explaining(async () => {
    await using git = await openGitCli(request.cwd, environment());
    if (git === null)
      throw new OperatorError('git-required', 'this is not a git repository', { hint: 'Go to the repository whose commit is to be verified.', exitCode: 4 });
    const found = await findReceipt(request.place, request.cwd, git);
    if (found.kind === 'not-valid') return found;
    const proof = problemOf(found.receipt);
    if (proof !== null) return { kind: 'not-valid', of: found.of, problem: proof };
    request.onReceipt(found.of, found.receipt);
    return await verify(found, request, git, signal);
  });
}

type Valid = Extract<FoundReceipt, { kind: 'receipt' }>;

async function verify({ of, receipt, tree }: Valid, request: VerifyRequest, git: GitCli, signal: AbortSignal): Promise<Verification> {
  const timeoutMs = request.timeoutMs ?? (await checkTimeoutMs(request.cwd));
  const folder = await receiptFolder(receipt.run, request.cwd, git);
  const checks = await inACheckout({ tree, folder, topLevel: git.topLevel }, signal, (cwd) =>
    rerunChecks(receipt.checks, { cwd, timeoutMs, onCheck: request.onCheck }, signal),
  );
  if (signal.aborted || checks === null) return { kind: 'interrupted' };
  return { kind: 'verified', of, receipt, checks, asRecorded: checks.every(({ asRecorded }) => asRecorded) };
}

/** Null when a signal, which reaches git too, came before the checkout was there. */
async function inACheckout<T>({ tree, folder, topLevel }: Place, signal: AbortSignal, work: (cwd: string) => Promise<T>): Promise<T | null> {
  if (signal.aborted) return null;
  await using git = await openGitCli(topLevel, environment());
  await using checkout = await git?.history.checkOut(tree).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (!checkout) return null;
  const cwd = join(checkout.path, folder);
  await mkdir(cwd, { recursive: true });
  return await work(cwd);
}

interface Place {
  readonly tree: string;
  /** Below the top of the repository. */
  readonly folder: string;
  readonly topLevel: string;
}

/** A receipt is a proof only if everything in it was green. */
function problemOf({ checks }: Receipt): string | null {
  if (checks.length === 0) return 'it has no check, so it proves nothing';
  const red = checks.find(({ exit_code }) => exit_code !== 0);
  return red === undefined ? null : `by its own words this was not green: ${red.command}`;
}

async function checkTimeoutMs(cwd: string): Promise<number> {
  const { settings } = await loadLoopSettings(cwd, null);
  return ms(settings.loop?.checkTimeout ?? LOOP_DEFAULTS.checkTimeout);
}

/** Where below the top of the repository the checks of that run were run: as the run itself tells where it is known, else as far below as we are. */
async function receiptFolder(run: string, cwd: string, git: GitCli): Promise<string> {
  return (await folderOfRun(run, cwd, git)) ?? relative(git.topLevel, await realpath(cwd));
}

/** Null for a run of another machine, or one that worked in a place nobody can name any more. A note may name anything as its run. */
async function folderOfRun(run: string, cwd: string, git: GitCli): Promise<string | null> {
  const runsFolder = runsFolderOf(cwd, git);
  if (!(await listRuns(runsFolder)).includes(run)) return null;
  const start = await startIn(join(runsFolder, run));
  if (start === null) return null;
  const top = ownWorktreeOf(start)?.path ?? git.topLevel;
  const folder = await realpath(start.cwd).catch(() => start.cwd);
  return folder === top || isInside(top, folder) ? relative(top, folder) : null;
}

/** Where a receipt is to be looked for: as the note of a commit, or in the folder of a run. */
export type ReceiptPlace = { readonly commit: string } | { readonly run: string };

/** A receipt that fits what it lies with, or why what lies there is none. */
export type FoundReceipt = { readonly of: string } & (
  | { readonly kind: 'receipt'; readonly receipt: Receipt; readonly tree: string }
  | { readonly kind: 'not-valid'; readonly problem: string }
);

/** Throws an OperatorError where there is nothing at all. */
async function findReceipt(place: ReceiptPlace, cwd: string, git: GitCli): Promise<FoundReceipt> {
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
