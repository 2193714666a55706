import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentPrograms } from '../../agents/definitions.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import { currentDirectory } from '../shared/flags.ts';
import { type Detected, detectProject } from './detect-project.ts';
import { initInteractively } from './init-interactively.ts';
import { type Answers, newSettings, openQuoteIn, settingsText, splitAtCommas } from './interview.ts';
import { type Proposal, SETTINGS, settingsExist, writeSettings } from './write-settings.ts';

export async function initCommand(flags: InitFlags): Promise<number> {
  if (flags.just) return await initJust(currentDirectory(), flags);
  if (flags.yes) return await initWithoutQuestions(currentDirectory(), flags);
  refuseFlagsWithoutYes(flags);
  return await initInteractively(currentDirectory());
}

/** `ralph init --just`: writes recipes for `just` and no settings. */
export async function initJust(cwd: string, flags: InitFlags): Promise<number> {
  refuseFlagsOfSettings(flags);
  const answer = await writeJustfile(cwd, { force: flags.force ?? false, dryRun: flags.dryRun ?? false });
  if (flags.json) io().stdout.write(`${JSON.stringify({ file: answer.file, written: answer.written, import: answer.importLine?.line ?? null })}\n`);
  else io().stdout.write(flags.dryRun ? answer.text : `${lines(answer).join('\n')}\n`);
  return 0;
}

/** These flags would have no effect with `--just`. */
function refuseFlagsOfSettings({ just: _just, force: _force, dryRun: _dryRun, json: _json, ...others }: InitFlags): void {
  const [first] = Object.keys(others);
  if (first === undefined) return;
  throw new OperatorError('usage', '--just writes no settings', { hint: 'Run ralph init again without --just to write the settings.', exitCode: 2 });
}

function lines({ file, written, importLine }: JustfileResult): readonly string[] {
  const what = written ? `Recipes written to ${file}` : `${file} already has the recipes`;
  if (importLine === null) return [`${what}; just --list shows them`];
  return [what, `${importLine.into} already exists and was not changed. Add this line to it:`, '', `  ${importLine.line}`, ''];
}

/** `ralph init --yes`, for scripts. Prints the result to standard output and what it chose to standard error. */
export async function initWithoutQuestions(cwd: string, flags: InitFlags): Promise<number> {
  if ((await settingsExist(cwd)) && !flags.force) {
    throw new OperatorError('settings-exist', `${SETTINGS} already exists`, { hint: 'Add --force to replace it.', exitCode: 2 });
  }
  const unasked = answersFromFlags(flags, await detectProject(cwd));
  const settings = newSettings(unasked.answers);
  const text = settingsText(settings);
  if (!flags.dryRun) await writeSettings(cwd, text);
  const written = !flags.dryRun;
  if (flags.json) {
    const { agent, guardrails } = unasked;
    io().stdout.write(`${JSON.stringify({ file: SETTINGS, written, agent, guardrails, settings })}\n`);
    return 0;
  }
  io().stderr.write(`${madeOf(unasked).map(oneLine).join('\n')}\n`);
  io().stdout.write(written ? `Settings written to ${SETTINGS}\n` : text);
  return 0;
}

function madeOf({ agent, guardrails }: DetectedAnswers): readonly string[] {
  const gates = guardrails.map(({ command, from }) => `Check: ${command} (from ${from})`);
  const none = 'warning: there is no check, so nothing will prove that the work is done; name one with --check';
  return [`Agent: ${agent.command} (from ${agent.from})`, ...(gates.length === 0 ? [none] : gates)];
}

/** Answers taken from flags and from what was found, and the source of the agent and of each check. */
export interface DetectedAnswers {
  readonly answers: Answers;
  readonly agent: Proposal;
  readonly guardrails: readonly Proposal[];
}

/** Flags first, then what was found, then the defaults. */
export function answersFromFlags(flags: InitFlags, found: Detected): DetectedAnswers {
  const agent = chosenAgent(flags, found);
  const guardrails = flags.check?.map((command) => ({ command, from: '--check' })) ?? found.guardrails;
  for (const words of [agent.command, ...(flags.flag ?? [])]) refuseOpenQuote(words);
  const answers: Answers = {
    agent: { command: agent.command, flags: flags.flag ?? [] },
    maximumIterations: iterations(flags.maxIterations ?? String(DEFAULTS.maximumIterations)),
    completionResponse: flags.completionResponse ?? DEFAULTS.completionResponse,
    includeIterationCountInPrompt: DEFAULTS.includeIterationCountInPrompt,
    guardrails: guardrails.map(({ command }) => ({ command, failAction: 'APPEND' })),
    reviews: null,
    scm: flags.scm === undefined ? null : { command: 'git', tasks: scmTasks(flags.scm) },
  };
  return { answers, agent, guardrails };
}

function chosenAgent({ agent }: InitFlags, { agents: [first] }: Detected): Proposal {
  if (agent !== undefined) return { command: agent, from: '--agent' };
  if (first !== undefined) return { command: first, from: 'PATH' };
  throw new OperatorError('agent-not-found', `no agent was found on PATH: ${agentPrograms.join(', ')}`, {
    hint: 'Install one, or name your own: ralph init --yes --agent "my-agent --quiet"',
    exitCode: 4,
  });
}

function iterations(word: string): number {
  const value = /^\d+$/.test(word) ? Number(word) : 0;
  if (value > 0) return value;
  throw usage(`maximumIterations must be a positive integer, got ${JSON.stringify(word)}`, 'For example: ralph init --yes -m 20');
}

function scmTasks(text: string): readonly string[] {
  const tasks = splitAtCommas(text);
  if (tasks.length === 0) throw usage('--scm needs at least one task', 'For example: ralph init --yes --scm commit,push');
  return tasks;
}

function refuseOpenQuote(words: string): void {
  const problem = openQuoteIn(words);
  if (problem !== null) throw usage(problem.again, 'Close it, or write a backslash before it.');
}

function usage(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** The options of `ralph init`, as commander parses them. */
export interface InitFlags {
  readonly yes?: boolean;
  readonly just?: boolean;
  readonly agent?: string;
  readonly flag?: readonly string[];
  readonly check?: readonly string[];
  readonly maxIterations?: string;
  readonly completionResponse?: string;
  readonly scm?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Without `--yes` the operator answers questions, so flags would have no effect. */
export function refuseFlagsWithoutYes(flags: InitFlags): void {
  const [first] = Object.keys(flags);
  if (first === undefined) return;
  const flag = `--${first.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new OperatorError('usage', `${flag} needs --yes`, { hint: 'With --yes nothing is asked; without it leave the flag out.', exitCode: 2 });
}

/** The file for the recipes if the project has a justfile of its own. */
const BESIDE = 'ralph.just';

export interface JustfileOptions {
  readonly force: boolean;
  readonly dryRun: boolean;
}

export interface JustfileResult {
  /** The file with the recipes, relative to the directory. */
  readonly file: string;
  /** False if the file already had them, and in a dry run. */
  readonly written: boolean;
  readonly text: string;
  /** The line to add to the project's own justfile; null if none is needed. */
  readonly importLine: { readonly line: string; readonly into: string } | null;
}

/** Writes the recipes to a new justfile. If there is one already, it writes them beside it for it to import; with force it replaces it. */
export async function writeJustfile(cwd: string, { force, dryRun }: JustfileOptions): Promise<JustfileResult> {
  const text = await readFile(packagePath('templates', 'justfile'), 'utf8');
  const theirs = await justfileIn(cwd);
  const keepsTheirs = theirs !== null && !force && readRegular(join(cwd, theirs)) !== text;
  const file = keepsTheirs ? BESIDE : (theirs ?? 'justfile');
  const written = await put(join(cwd, file), { text, force, dryRun });
  return { file, written, text, importLine: keepsTheirs ? importLine(cwd, theirs) : null };
}

/** As `just` looks for it: upper or lower case, also hidden. */
async function justfileIn(cwd: string): Promise<string | null> {
  const names = await readdir(cwd).catch(() => []);
  return names.sort().find((name) => /^\.?justfile$/i.test(name)) ?? null;
}

function importLine(cwd: string, into: string): JustfileResult['importLine'] {
  const imports = /^import\??\s+['"](?:\.\/)?ralph\.just['"]/m;
  return imports.test(readRegular(join(cwd, into)) ?? '') ? null : { line: `import '${BESIDE}'`, into };
}

async function put(path: string, { text, force, dryRun }: JustfileOptions & { readonly text: string }): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw notWritten(path, 'it exists and is not a file', 'Move it away and try again.');
  if (found !== null && readRegular(path) === text) return false;
  if (found !== null && !force) throw notWritten(path, 'it already exists, with other recipes', 'Remove it to get the recipes of this version of ralph.');
  if (dryRun) return false;
  try {
    await writeAtomic(path, text, 0o644);
    return true;
  } catch (cause) {
    // The rest of the message names a temporary file.
    const [reason = ''] = (cause as Error).message.split(',');
    throw notWritten(path, reason, 'Check the permissions of this directory and the free disk space.', cause);
  }
}

function notWritten(path: string, why: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('justfile-not-written', `cannot write ${path}: ${why}`, { hint, exitCode: 2, cause });
}
