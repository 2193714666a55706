import { mkdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Receipt } from '../../journal/words/receipt.ts';
import { isInside } from '../../kit/files/read.ts';
import { OperatorError, withOperatorErrors } from '../../kit/pure/operator-error.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { ms } from '../../settings/run-limits.ts';
import { checksIn } from '../../settings/schema/loop-settings.ts';
import { listRuns, runsFolderOf, startIn } from '../../store/run-home.ts';
import { type GitCli, openGitCli } from '../../workspace/git/git-cli.ts';
import { ownWorktreeOf } from '../../workspace/worktrees/open.ts';
import { findReceipts, type ReceiptPlace } from './find-receipts.ts';
import { type FoundReceipt, named, type Signature, type StoredKey, type Trust, trustedKeys } from './read-receipt.ts';
import { type RerunCheck, rerunChecks } from './rerun-checks.ts';

export interface VerifyRequest {
  readonly cwd: string;
  readonly place: ReceiptPlace;
  /** The timeout of each check; null: that of the settings. */
  readonly timeoutMs: number | null;
  /** Files with the public keys whose signatures count. */
  readonly keys: readonly string[];
  /** Those of a store; null: the operator names none. */
  readonly stored: (topLevel: string) => Promise<readonly StoredKey[] | null>;
  /** The commit whose keys count; null: that of the remote's default branch, if there is one. */
  readonly base: string | null;
  /** Whether a receipt without a signature of a known key is refused. */
  readonly isSignatureRequired: boolean;
  /** Called once it is known what will run. */
  readonly onReceipt: (of: string, receipt: Receipt, signature: Signature) => void;
  readonly onCheck: (check: RerunCheck) => void;
  readonly onVerified: (verification: Verification) => void;
}

export type Verification =
  | (Pick<Valid, 'of' | 'task' | 'receipt' | 'signature'> & { readonly kind: 'verified'; readonly checks: readonly RerunCheck[]; readonly asRecorded: boolean })
  /** It is not a receipt of this, or proves nothing. */
  | Extract<FoundReceipt, { kind: 'not-valid' }>;

export interface Verified {
  /** The run to whose tasks they belong; null for a single receipt. */
  readonly tasksOf: string | null;
  readonly all: readonly Verification[];
}

/** Runs the checks of receipts again, each in a fresh checkout of its tree. Nothing of that is left when it resolves, however it ends. */
export function verifyReceipts(request: VerifyRequest, signal: AbortSignal): Promise<Verified | 'interrupted'> {
  return withOperatorErrors(async () => {
    await using git = await openGitCli(request.cwd, environment());
    if (git === null)
      throw new OperatorError('git-required', 'this is not a git repository', { hint: 'Go to the repository whose commit is to be verified.', exitCode: 4 });
    const trust = await trustOf(request, git);
    const { tasksOf, receipts } = await findReceipts(request.place, { cwd: request.cwd, git, trust });
    const all: Verification[] = [];
    for (const found of receipts) {
      const valid = checkedBefore(found, trust.isChosen || request.isSignatureRequired);
      const verification = valid.kind === 'receipt' ? await verify(valid, request, git, signal) : valid;
      if (verification === 'interrupted') return verification;
      request.onVerified(verification);
      all.push(verification);
    }
    return { tasksOf, all };
  });
}

/** Checked before anything runs, because the checks that it names are commands. */
function checkedBefore(found: FoundReceipt, mustBeKnown: boolean): FoundReceipt {
  if (found.kind === 'not-valid') return found;
  const problem = unknownSigner(found.signature, mustBeKnown) ?? problemOf(found.receipt);
  return problem === null ? found : { of: found.of, task: found.task, kind: 'not-valid', problem };
}

type Valid = Extract<FoundReceipt, { kind: 'receipt' }>;

async function trustOf({ cwd, keys, stored, base }: VerifyRequest, git: GitCli): Promise<Trust> {
  const tree = await named(`${base ?? 'refs/remotes/origin/HEAD'}^{tree}`, cwd);
  if (tree === null && base !== null)
    throw new OperatorError('no-such-commit', `${base} names no commit here`, { hint: 'Name a commit, a branch or a tag of this repository.', exitCode: 2 });
  return await trustedKeys({ cwd, env: environment(), files: keys, stored: await stored(git.topLevel), base: tree }, git.history);
}

function unknownSigner({ state, key }: Signature, mustBeKnown: boolean): string | null {
  if (!mustBeKnown || state === 'signed') return null;
  return state === 'unsigned'
    ? 'it is not signed, and only a signature by a known key counts here'
    : `it is signed by ${key}, which is no key that counts here`;
}

async function verify(
  { of, task, receipt, signature, tree }: Valid,
  request: VerifyRequest,
  git: GitCli,
  signal: AbortSignal,
): Promise<Verification | 'interrupted'> {
  request.onReceipt(of, receipt, signature);
  const timeoutMs = request.timeoutMs ?? (await checkTimeoutMs(request.cwd));
  const folder = await receiptFolder(receipt.run, request.cwd, git);
  const checks = await inACheckout({ tree, folder, topLevel: git.topLevel }, signal, (cwd) =>
    rerunChecks(receipt.checks, { cwd, timeoutMs, onCheck: request.onCheck }, signal),
  );
  if (signal.aborted || checks === null) return 'interrupted';
  return { kind: 'verified', of, task, receipt, signature, checks, asRecorded: checks.every(({ asRecorded }) => asRecorded) };
}

/** Null if a signal, which reaches git too, came before the checkout was ready. */
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
  /** Relative to the top of the repository. */
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
  return ms(checksIn(settings).checkTimeout);
}

/** The folder below the top of the repository in which the checks of that run ran: as the run records it, else the current folder. */
async function receiptFolder(run: string, cwd: string, git: GitCli): Promise<string> {
  return (await folderOfRun(run, cwd, git)) ?? relative(git.topLevel, await realpath(cwd));
}

/** Null for a run of another machine, or one in a folder that no longer exists. A note may name anything as its run. */
async function folderOfRun(run: string, cwd: string, git: GitCli): Promise<string | null> {
  const runsFolder = runsFolderOf(cwd, git);
  if (!(await listRuns(runsFolder)).includes(run)) return null;
  const start = await startIn(join(runsFolder, run));
  if (start === null) return null;
  const top = ownWorktreeOf(start)?.path ?? git.topLevel;
  const folder = await realpath(start.cwd).catch(() => start.cwd);
  return folder === top || isInside(top, folder) ? relative(top, folder) : null;
}
