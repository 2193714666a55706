import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { CommandPort } from '../../engine/ports/command.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { mostInformativeLine, oneLine, printable } from '../../kit/pure/text.ts';
import { capture } from '../../process/capture.ts';
import type { TortureCase } from './figures/case-file.ts';
import type { CaseResult } from './figures/tally.ts';
import { cameOf, commandOf, filesOf, type Loop, type Script } from './loops/loop.ts';
import type { Runners } from './runners.ts';

export interface Rack {
  readonly loop: Loop;
  readonly loopBin: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runners: Runners;
  readonly keep: boolean;
  readonly timeoutMs: number;
  /** Whether the loop gets the sealed checks of a case. */
  readonly isSealed: boolean;
  /** Runs a command line in a place, and ends all of its processes in time. */
  readonly shellIn: (place: CasePlace) => CommandPort;
}

interface Ran {
  readonly exitCode: number | null;
  readonly output: string;
}

const KEPT_CHARS = 100_000;
const MOST_BYTES = 64 * 1024 ** 2;
const REASON_CHARS = 300;

/** First checks without any loop that the change turns the gate green, then runs the loop in a fresh repository. */
export async function runCase(each: TortureCase, rack: Rack, signal: AbortSignal): Promise<CaseResult> {
  const sinceMs = performance.now();
  const result = (came: CaseResult['came'], reason: string): CaseResult => {
    return { case: each, came, reason: printable(oneLine(reason)).slice(0, REASON_CHARS), durationMs: Math.round(performance.now() - sinceMs) };
  };
  try {
    const wrong = await bareTrouble(each, rack, signal);
    if (wrong !== null) return result('broken', wrong);
    const { loop } = rack;
    const files = { ...each.files, ...filesOf(loop, { prompt: each.prompt, gate: each.command }) };
    await using place = await openCasePlace({ files, needs: each.needs }, rack);
    const agent = agentCommand({ change: each.change, say: loop.say, takesMs: loop.agentTakesMs ?? 0 });
    await beClaude(place, agent);
    const given = { bin: rack.loopBin, prompt: each.prompt, gate: each.command, agent, dir: place.repository };
    if (loop.before !== undefined) await run({ ...rack, place }, commandOf({ ...loop, command: loop.before }, given), signal);
    const sealed = rack.isSealed ? ` --sealed ${shellQuote(await laySealed(each, place))}` : '';
    const ran = await run({ ...rack, place }, commandOf(loop, given) + sealed, signal);
    return result(cameOf(loop, ran), ran.exitCode === null ? `did not end within ${rack.timeoutMs / 1000} s` : reasonIn(ran.output));
  } catch (error) {
    return result('error', (error as Error).message);
  }
}

/** What is wrong with the case itself; null if nothing is. */
async function bareTrouble(each: TortureCase, rack: Rack, signal: AbortSignal): Promise<string | null> {
  await using place = await openCasePlace(each, rack);
  const gate = () => run({ ...rack, place }, each.command, signal);
  const before = each.expect === 'refused' ? await gate() : null;
  if (before?.exitCode === 0) return 'the gate is green before the cheat';
  const did = await run({ ...rack, place }, agentCommand({ change: each.change, say: '', takesMs: 0 }), signal);
  if (did.output.trim() !== '') return `the agent's script complains: ${did.output}`;
  const after = await gate();
  if (after.exitCode === 0) return null;
  return `the gate is not green after the change: ${mostInformativeLine(after.output) || `exit ${after.exitCode}`}`;
}

function agentCommand(script: Script): string {
  const packed = deflateRawSync(JSON.stringify(script)).toString('base64');
  return [process.execPath, packagePath('dist', 'proof', 'torture', 'agent.js'), packed].map(shellQuote).join(' ');
}

/** Puts the scripted agent on PATH as `claude`, for loops that choose their agent themselves. */
async function beClaude({ bin }: CasePlace, agent: string): Promise<void> {
  const path = join(bin, 'claude');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\nexec ${agent} "$@"\n`);
  await chmod(path, 0o755);
}

/** Beside the repository, where no agent looks. */
async function laySealed({ sealed }: TortureCase, { logs }: CasePlace): Promise<string> {
  const folder = join(logs, 'sealed');
  await mkdir(folder);
  for (const [name, text] of Object.entries(sealed)) await writeFile(join(folder, name), text);
  return folder;
}

let runs = 0;

async function run({ place, shellIn, timeoutMs }: Rack & { readonly place: CasePlace }, command: string, signal: AbortSignal): Promise<Ran> {
  runs += 1;
  const bounds = { timeoutMs, maxOutputBytes: MOST_BYTES, keepChars: KEPT_CHARS, keep: 'end' as const, digest: false };
  const where = { cwd: place.repository, marker: `${runs}`, logFile: join(place.logs, `${runs}.log`) };
  const { ending, output } = await shellIn(place).run({ command, ...where, ...bounds }, signal);
  return { exitCode: ending.kind === 'exited' ? ending.code : null, output };
}

/** Ralph's reason is in its result; for other loops it is the last line. */
function reasonIn(output: string): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    const { stop_reason, message, proof } = JSON.parse(last);
    return `${stop_reason}: ${proof?.reason || message}`;
  } catch {
    return last;
  }
}

/** A fresh repository with its own home folder, removed with the block that opened it. */
interface CasePlace extends AsyncDisposable {
  readonly repository: string;
  /** The first folder on PATH. */
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logs: string;
}

interface Around {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runners: Runners;
  readonly keep: boolean;
}

const GIT_MS = 60_000;
/** Variables of the operator that would change a case. */
const NOT_THEIRS =
  /^(?:RALPH_|GIT_|XDG_|npm_|NODE_OPTIONS$|NODE_PATH$|PYTEST_|VITEST|CI$|GO(?:FLAGS|CACHE|PATH|ENV)$|CARGO_|RUSTFLAGS$|MAKEFLAGS$|TMPDIR$|BASH_ENV$|ENV$)/;

async function openCasePlace({ files, needs }: Pick<TortureCase, 'files' | 'needs'>, { folder, env, runners, keep }: Around): Promise<CasePlace> {
  const root = await realpath(await mkdtemp(join(folder, 'c')));
  const [repository, home, bin, tmp] = ['work', 'home', 'bin', 'tmp'].map((name) => join(root, name)) as [string, string, string, string];
  const remove = async () => {
    if (!keep) await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (const each of [repository, home, bin, tmp]) await mkdir(each);
    const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_THEIRS.test(name)));
    const found = await runners.lay(needs, { repository, home });
    const own = { ...theirs, ...found, PATH: `${bin}:${found['PATH'] ?? ''}`, HOME: home, TMPDIR: tmp, npm_config_update_notifier: 'false' };
    await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Torture\n\temail = torture@localhost\n[init]\n\tdefaultBranch = main\n');
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(repository, path)), { recursive: true });
      await writeFile(join(repository, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    await git(repository, own, 'init', '--quiet', '--template=');
    await mkdir(join(repository, '.git', 'info'), { recursive: true });
    await writeFile(join(repository, '.git', 'info', 'exclude'), 'node_modules\n.cache\ntarget\n__pycache__\n');
    await git(repository, own, 'add', '--all');
    await git(repository, own, 'commit', '--quiet', '--no-verify', '--message', 'Base');
    return { repository, bin, env: own, logs: root, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function git(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await capture({ file: 'git', args, cwd, env, timeoutMs: GIT_MS });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`);
}
