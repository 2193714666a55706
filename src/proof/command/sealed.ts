import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { endingText } from '../../journal/ending-text.ts';
import { openScope } from '../../kit/async/scope.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { openGuardian } from '../../process/guardian.ts';
import { io } from '../../process/io.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment, withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { pathOf } from '../../settings/sandbox-of-settings.ts';
import { openCopiedFiles } from '../../workspace/copied-files.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { askRound, DICE } from '../prove/run-sealed.ts';
import { readSealedFolder, refuseWhereAgentsWork } from '../prove/sealed-folder.ts';
import { type Answered, roundsOf } from '../sealed/questions.ts';
import { SEALED_FOLDER } from '../sealed/sealed-list.ts';

interface NewFlags {
  readonly language: string;
  readonly json?: boolean;
}

/** Writes an example; never overwrites a file. */
export async function newSealedCommand(name: string, { language, json = false }: NewFlags): Promise<number> {
  const folder = resolve(currentDirectory(), name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new OperatorError('exists', `${folder} is not empty`, { hint: 'Name a folder that is new or empty.', exitCode: 2 });
  await using git = await openGitCli(currentDirectory(), environment());
  if (git !== null) refuseWhereAgentsWork(folder, git, []);
  const files = packagePath('templates', 'sealed');
  cpSync(resolve(files, language), folder, { recursive: true });
  cpSync(resolve(files, 'README.md'), resolve(folder, 'README.md'));
  const next = `ralph sealed check ${shellQuote(name)}`;
  if (json) io().stdout.write(`${JSON.stringify({ folder, language, next })}\n`);
  else io().stdout.write(`Wrote ${folder}\nLet its driver call your own code, write down what has to come back in sealed.json, then try it: ${next}\n`);
  return 0;
}

/** Exit code 0: all are green, 1: one is not. The output is for the operator only. */
export async function checkSealedCommand(name: string | null, { json = false }: { readonly json?: boolean }): Promise<number> {
  const cwd = currentDirectory();
  const folder = name === null ? await folderOfSettings(cwd) : pathOf(name, cwd);
  using signalled = untilSignalled();
  const checks = await trySealed(folder, { cwd, onChecks: (tried) => void (json || print(tried.flatMap(checkLines))) }, signalled.signal);
  if (signalled.signal.aborted) return signalled.exitCode();
  const isGreen = checks.every(({ green }) => green);
  if (json) io().stdout.write(`${JSON.stringify({ folder, green: isGreen, checks: checks.map(checkJson) })}\n`);
  else print(sumLines(basename(folder), checks, isGreen));
  return isGreen ? 0 : 1;
}

async function folderOfSettings(cwd: string): Promise<string> {
  const { settings } = await loadSettings(cwd);
  if (settings.proof?.sealed !== undefined) return pathOf(settings.proof.sealed, cwd);
  throw new OperatorError('sealed-missing', 'no sealed folder is named', { hint: 'Name one, or set proof.sealed in .ralph/settings.json.', exitCode: 2 });
}

const print = (lines: readonly string[]) => void io().stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));

const LINE_CHARS = 300;
const shown = (text: string) => truncateCodePoints(oneLine(text), LINE_CHARS, '…');

function checkLines({ check: { driver, input, expect }, green, got, ending, output }: TriedCheck): readonly string[] {
  const asked = expect === null ? 'weak: its exit code decides' : shown(JSON.stringify(input));
  const line = `  ${green ? '[OK]  ' : '[FAIL]'} ${shown(driver)}  (${asked})`;
  if (green) return [line];
  const answers = [...new Set(got)].map(shown).join(' or ') || 'nothing';
  const compared = expect === null ? [] : [`         expected ${shown(JSON.stringify(expect.value))}, got ${answers}`];
  const said =
    got.length > 0
      ? []
      : output
          .trim()
          .split('\n')
          .slice(-5)
          .map((text) => `         ${shown(text)}`);
  return [line, ...compared, `         ended: ${ending}`, ...said];
}

function checkJson({ check: { driver, input, expect }, green, got, ending, output }: TriedCheck): object {
  return { driver, input, expect: expect?.value ?? null, weak: expect === null, green, got, ending, output };
}

function sumLines(name: string, checks: readonly TriedCheck[], isGreen: boolean): readonly string[] {
  const all = `${checks.length} sealed ${checks.length === 1 ? 'check' : 'checks'} of ${name}`;
  const weak = checks.filter(({ check }) => check.expect === null).length;
  return [
    isGreen ? `Satisfied: ${all}.` : `Not satisfied: ${checks.filter(({ green }) => !green).length} of ${all}.`,
    ...(weak === 0 ? [] : [`Weak: ${weak}. Code that calls exit(0) satisfies an exit code; give them an "expect".`]),
    ...(isGreen ? ['Warning: if the work is still to be done, checks that are green already prove nothing.'] : []),
  ];
}

interface TriedCheck extends Answered {
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
async function trySealed(folder: string, { cwd, onChecks }: Trying, signal: AbortSignal): Promise<readonly TriedCheck[]> {
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
  const logs = await makeTemporaryFolder('sealed-check');
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
