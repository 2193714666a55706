import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitCli, openGitCli } from '../../workspace/git/git-cli.ts';
import { LOOP_DEFAULTS } from '../../settings/schema/loop-settings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { ms } from '../../settings/run-limits.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { explaining } from '../../kit/files/explaining.ts';
import { type FoundReceipt, findReceipt, type ReceiptPlace } from './find-receipt.ts';
import { receiptFolder } from './receipt-folder.ts';
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
