import { cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { pathOf } from '../../settings/sandbox-of-settings.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { refuseWhereAgentsWork } from '../prove/sealed-folder.ts';
import { type TriedCheck, trySealed } from '../verify/try-sealed.ts';

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

const SHOWN_CHARS = 300;
const shown = (text: string) => truncateCodePoints(oneLine(text), SHOWN_CHARS, '…');

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
