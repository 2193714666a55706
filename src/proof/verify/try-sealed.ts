import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { endingText } from '../../journal/ending-text.ts';
import { openScope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { askRound, DICE } from '../prove/run-sealed.ts';
import { readSealedFolder } from '../prove/sealed-folder.ts';
import { type Answered, roundsOf } from '../sealed/questions.ts';
import { SEALED_FOLDER } from '../sealed/sealed-list.ts';

export interface TriedCheck extends Answered {
  /** How its driver ended, in words, and the end of its output. */
  readonly ending: string;
  readonly output: string;
}

interface Trying {
  readonly cwd: string;
  readonly onChecks: (checks: readonly TriedCheck[]) => void;
}

const MOST_BYTES = 64 * 1024 ** 2;
const OUTPUT_CHARS = 1_000_000;
const SHOWN_CHARS = 4000;

/** Runs the sealed checks on a copy of the current files, for the operator: without a sandbox, like the project's own tests by hand. */
export async function trySealed(folder: string, { cwd, onChecks }: Trying, signal: AbortSignal): Promise<readonly TriedCheck[]> {
  const { list, drivers } = readSealedFolder(folder);
  await using scope = openScope();
  await using git = await openGitCli(cwd, environment());
  const tree = (await git?.look())?.tree ?? null;
  if (git === null || tree === null)
    throw new OperatorError('git-required', 'sealed checks need a git repository, to have a copy of the work', { hint: 'Run `git init`.', exitCode: 2 });
  await using checkout = await git.history.checkOut(tree, { ignored: 'linked' });
  const files = openCopiedFiles(checkout.top);
  const below = join(relative(checkout.top, checkout.path), SEALED_FOLDER);
  files.remove(below);
  for (const file of drivers) files.write(join(below, file.path), file);
  const marker = `sealed-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const logs = await mkdtemp(join(tmpdir(), 'ralph-sealed-check-'));
  scope.defer(() => rm(logs, { recursive: true, force: true }));
  const shell = openShell({ env: withoutGitVariables(environment()), guardian: { ...guardian, reportLeft: () => undefined } });
  const common = { cwd: checkout.path, marker: `${marker}/1`, logFile: join(logs, 'log') };
  const limits = { maxOutputBytes: MOST_BYTES, keepChars: OUTPUT_CHARS, keep: 'end', digest: false } as const;
  const tried: TriedCheck[] = [];
  for (const round of roundsOf(list, DICE)) {
    if (signal.aborted) break;
    const { answers, ran } = await askRound(round, list, (call) => shell.run({ ...call, ...common, ...limits }, signal));
    const checks = answers.map((answer) => ({ ...answer, ending: endingText(ran.ending), output: ran.output.slice(-SHOWN_CHARS) }));
    if (!signal.aborted) onChecks(checks);
    tried.push(...checks);
  }
  return tried;
}
