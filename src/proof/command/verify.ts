import { currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { formatDuration, parseDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { mostInformativeLine, oneLine, printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { fingerprintOf } from '../receipts/dsse.ts';
import { openSigningKey, publicHalf } from '../receipts/signing-key.ts';
import type { ReceiptPlace } from '../verify/find-receipts.ts';
import type { Signature, StoredKey } from '../verify/read-receipt.ts';
import type { RerunCheck } from '../verify/rerun-checks.ts';
import { type Verification, type Verified, verifyReceipts } from '../verify/verify-commit.ts';

interface VerifyFlags {
  readonly run?: string;
  readonly task?: string;
  readonly checkTimeout?: string;
  readonly key?: readonly string[];
  readonly base?: string;
  /** True: the store that variables and settings name. */
  readonly store?: string | true;
  readonly requireSignature?: boolean;
  readonly printKey?: boolean;
  readonly json?: boolean;
}

/** Exit code 0: all is green again, 1: something is not, or the receipt does not count. */
export async function verifyCommand(name: string | null, flags: VerifyFlags): Promise<number> {
  if (flags.printKey) return await printKey(flags);
  const print = (...lines: readonly string[]) => void (flags.json || io().stdout.write(lines.map((line) => `${line}\n`).join('')));
  const place = placeOf(name, flags);
  const timeoutMs = timeoutOf(flags);
  using signalled = untilSignalled();
  const verified = await verifyReceipts(
    {
      cwd: currentDirectory(),
      place,
      timeoutMs,
      keys: flags.key ?? [],
      stored: (topLevel) => keysOfStore(flags.store, topLevel),
      base: flags.base ?? null,
      isSignatureRequired: flags.requireSignature === true,
      onReceipt: (of, receipt, signature) => print(receiptLine(of, receipt), signatureLine(signature)),
      onCheck: (check) => print(...checkLines(check)),
      onVerified: (verification) => (verification.kind === 'verified' ? print(sumLine(verification.checks)) : tellNotValid(verification)),
    },
    signalled.signal,
  );
  if (verified === 'interrupted') return interrupted(signalled.exitCode());
  if (flags.json) io().stdout.write(`${JSON.stringify(verifiedJson(verified))}\n`);
  if (verified.tasksOf !== null) print(tasksLine(verified.all));
  return verified.all.every(isGood) ? 0 : 1;
}

const isGood = (verification: Verification) => verification.kind === 'verified' && verification.asRecorded;

/** Null: the operator names no store. */
async function keysOfStore(store: VerifyFlags['store'], home: string): Promise<readonly StoredKey[] | null> {
  if (store === undefined) return null;
  const { storeHere } = await import('../../fleet/command/fleet-here.ts');
  const { keysOfFleet } = await import('../../fleet/open-fleet.ts');
  return await keysOfFleet(await storeHere(store === true ? undefined : store), { home, env: environment() });
}

/** Prints the public key, for the place where others verify. */
async function printKey({ json }: VerifyFlags): Promise<number> {
  await using git = await openGitCli(currentDirectory(), environment());
  const opened = await openSigningKey(environment(), git?.topLevel ?? null);
  if ('why' in opened) throw new OperatorError('no-key', opened.why, { hint: 'Receipts are written without a signature until this is mended.', exitCode: 4 });
  const pem = publicHalf(opened.key);
  io().stdout.write(json ? `${JSON.stringify({ key: fingerprintOf(opened.key), public_key: pem, file: opened.file })}\n` : pem);
  return 0;
}

function placeOf(name: string | null, flags: VerifyFlags): ReceiptPlace {
  const { run } = flags;
  const task = flags.task ?? null;
  if (run === undefined) return task === null ? { commit: name ?? 'HEAD' } : { run: name, task };
  if (name === null) return { run, task };
  throw new OperatorError('usage', 'cannot specify both a commit and --run', { hint: 'Leave one of them out.', exitCode: 2 });
}

function timeoutOf({ checkTimeout }: VerifyFlags): number | null {
  if (checkTimeout === undefined) return null;
  const ms = parseDuration(checkTimeout);
  if (ms !== null) return ms;
  throw new OperatorError('usage', `--check-timeout must be a duration such as "20m", "90s" or "off", got ${JSON.stringify(checkTimeout)}`, {
    hint: 'ralph verify --help shows every option.',
    exitCode: 2,
  });
}

function tellNotValid({ of, problem }: Extract<Verification, { kind: 'not-valid' }>): void {
  io().stderr.write(`error: the receipt of ${shown(of)} does not count: ${shown(problem)}\n`);
}

function interrupted(exitCode: number): number {
  io().stderr.write('Interrupted; nothing is left running, and nothing was verified.\n');
  return exitCode;
}

/** The output of `ralph verify --json`: for one receipt, or for all receipts of a run's tasks. */
function verifiedJson({ tasksOf, all }: Verified): object {
  const [first] = all;
  if (tasksOf === null && first !== undefined) return verificationJson(first);
  return { of: `run ${tasksOf}`, as_recorded: all.every(isGood), receipts: all.map(verificationJson) };
}

function verificationJson(verification: Verification): object {
  const { of, task } = verification;
  if (verification.kind === 'not-valid') return { of, task, as_recorded: false, problem: verification.problem, signature: null, receipt: null, checks: [] };
  const { receipt, signature, checks, asRecorded } = verification;
  const by = { state: signature.state, key: signature.key };
  return { of, task, as_recorded: asRecorded, problem: null, signature: by, receipt, checks: checks.map(checkJson) };
}

function checkJson({ command, recordedExitCode, exitCode, ending, asRecorded, sameOutput, wasRed, durationMs, output }: RerunCheck): object {
  return {
    command,
    recorded_exit_code: recordedExitCode,
    exit_code: exitCode,
    ending,
    as_recorded: asRecorded,
    same_output: sameOutput,
    was_red: wasRed,
    duration_ms: durationMs,
    output,
  };
}

/** The line that names the proof, printed before its first command runs. */
function receiptLine(of: string, { run, merged, story, agent, model, iterations, cost_usd, written_at }: Receipt): string {
  const cost = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(4)}`;
  const by = shown(model === null ? agent : `${agent} (${model})`);
  const item = merged ? `, task ${shown(merged.id)}` : story ? `, story ${shown(story.id)}` : '';
  return `Receipt of ${shown(of)}: run ${shown(run)}${item}, ${dayOf(written_at)}, ${by}, ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}, ${cost}`;
}

export function signatureLine(signature: Signature): string {
  switch (signature.state) {
    case 'signed':
      return `Signed by ${shown(signature.from)} (${signature.key})`;
    case 'unknown-key':
      return `Signed by unknown key ${shown(signature.key)}: the checks are run again, who signed is not known`;
    case 'unsigned':
      return 'Unsigned: the checks are run again, who wrote it is not known';
  }
}

export function checkLines(check: RerunCheck): readonly string[] {
  const { asRecorded, command, output } = check;
  const line = `  ${asRecorded ? '[OK]  ' : '[FAIL]'} ${shown(command)}  (${remarks(check).join(', ')})`;
  const telling = asRecorded ? '' : mostInformativeLine(output);
  return telling === '' ? [line] : [line, `         ${shown(telling)}`];
}

export function sumLine(checks: readonly RerunCheck[]): string {
  const same = checks.filter(({ asRecorded }) => asRecorded).length;
  const all = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  return same === checks.length ? `Verified: ${all} green in a fresh checkout, as recorded.` : `Not as recorded: ${checks.length - same} of ${all}.`;
}

function tasksLine(all: readonly Verification[]): string {
  const bad = all.filter((each) => !isGood(each)).map(({ task, of }) => shown(task ?? of));
  const areStories = all.some((each) => each.kind === 'verified' && each.receipt.story !== undefined);
  if (bad.length === 0) return `Verified: ${counted(all.length, areStories)}, as recorded.`;
  return `Not verified: ${bad.length} of ${all.length} ${all.length === 1 ? 'receipt' : 'receipts'}: ${bad.join(', ')}`;
}

const counted = (count: number, areStories: boolean) => `${count} ${count === 1 ? (areStories ? 'story' : 'task') : areStories ? 'stories' : 'tasks'}`;

function remarks({ asRecorded, ending, recordedExitCode, sameOutput, wasRed, durationMs }: RerunCheck): readonly string[] {
  return [
    ending,
    ...(asRecorded ? [] : [`recorded exit ${recordedExitCode}`]),
    formatDuration(durationMs),
    ...(wasRed === true ? ['was red before the run'] : []),
    ...(sameOutput ? [] : ['prints something else']),
  ];
}

/** Makes the text printable: a note may contain anything. */
const shown = (text: string) => printable(oneLine(text));

function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString().slice(0, 16).replace('T', ' ');
}
