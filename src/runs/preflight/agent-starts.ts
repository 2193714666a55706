import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FlagTrial } from '../../agents/agent-preflight.ts';
import { operatorWords, wordsOf } from '../../agents/command-words.ts';
import { errorMessageIn } from '../../agents/error-message.ts';
import { openDescribedAgent } from '../../agents/open-agent.ts';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { openScope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import type { ProcessEnding } from '../../process/process-request.ts';
import { runProcess } from '../../process/run-process.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { inSandbox } from '../../sandbox/in-sandbox.ts';
import { cacheFolder } from '../../store/user-folders.ts';
import { sandboxInPlace } from '../sandbox/open-sandboxes.ts';
import type { VendorAgent } from './agent-programs.ts';
import { type CheckResult, type Finding, fine, found, joined, NOTHING, type PlannedRun } from './finding.ts';
import { showIt } from './inside.ts';

/** Starts the agent's program in the sandbox and the environment of the run, without a prompt. */
export async function checkAgentStarts(agent: VendorAgent, run: PlannedRun): Promise<CheckResult> {
  await using scope = openScope();
  const name = `preflight-${randomUUID().slice(0, 8)}`;
  const runFolder = join(run.workspace.home.runsFolder, name);
  const quiet = { warn: () => undefined, onRefused: () => undefined };
  const wall = await sandboxInPlace(run.workspace, run.settings, { run: name, runFolder, scope, ...quiet, agentKind: agent.spec.kind });
  const [version, flags] = await Promise.all([versionResult(agent, run, wall), flagsResult(agent, run, wall)]);
  return joined([version, flags]);
}

async function versionResult(agent: VendorAgent, run: PlannedRun, wall: SandboxPort | null): Promise<CheckResult> {
  const { file, preflight, definition } = agent;
  const call = { agent, args: preflight.versionArgs, run };
  const answer = await start({ ...call, wall });
  if (isWell(answer.ending)) return fine(`${versionIn(answer.output) ?? definition.name} (${file})`);
  const why = whyNot(answer);
  if (why === null) return found(slow(agent));
  const isHidden = wall !== null && isWell((await start({ ...call, wall: null })).ending);
  const what = isHidden ? `${definition.name} does not start in the sandbox "${wall.mode}": ${why}` : `${definition.name} does not start: ${why}`;
  const fix = isHidden ? showIt({ file }) : `Try it by hand: ${byHand(agent)}`;
  return found({ what, where: file, fix, isFatal: true });
}

/** Ralph's own flags are known to work, so only an operator's flags are tried. The answer is kept as long as the same program is there. */
async function flagsResult(agent: VendorAgent, run: PlannedRun, wall: SandboxPort | null): Promise<CheckResult> {
  const { spec, preflight, definition } = agent;
  if (preflight.flagTrial === undefined || operatorWords(spec).length === 1) return NOTHING;
  const args = preflight.flagTrial.args(await realArgs(agent, run));
  const kept = await keptFile(agent, args);
  const isKept = await access(kept).then(
    () => true,
    () => false,
  );
  const complaint = isKept ? null : await tryFlags({ agent, args, run, wall }, preflight.flagTrial, kept);
  if (complaint === null) return fine(`${definition.name} accepts its flags`);
  const what = `${definition.name} refuses its flags: ${complaint}`;
  return found({
    what,
    where: `agent.command, agent.flags: ${operatorWords(spec).join(' ')}`,
    fix: `Leave it out; ${definition.name} --help lists what this version knows.`,
    isFatal: true,
  });
}

async function tryFlags(call: StartCall, trial: FlagTrial, kept: string): Promise<string | null> {
  const answer = await start(call);
  const complaint = answer.ending.kind === 'exited' ? trial.complaint(answer.output) : null;
  // A program that did not answer is asked again by the next run.
  if (complaint === null && answer.ending.kind === 'exited') await keep(kept);
  return complaint === null ? null : truncateCodePoints(oneLine(complaint), LONGEST);
}

async function realArgs({ spec }: VendorAgent, { settings, workspace }: PlannedRun): Promise<readonly string[]> {
  const request = { prompt: '', output: 'events' as const, marker: '', cwd: workspace.cwd, folder: '', budgetUsd: null };
  const limits = { idleMs: 0, deadlineMs: 0, maxOutputBytes: 0, lingerMs: 0 };
  const [, ...args] = await openDescribedAgent({ ...settings, agent: spec }, workspace).describe({ ...request, ...limits });
  return args;
}

async function keptFile({ file, place }: VendorAgent, args: readonly string[]): Promise<string> {
  const { mtimeMs, size } = await stat(file);
  const hash = createHash('sha256').update(JSON.stringify([file, mtimeMs, size, args]));
  return join(cacheFolder(place.env), `agent-accepts-${hash.digest('hex').slice(0, 16)}`);
}

/** If it cannot be kept, the program is only asked again. */
async function keep(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
  } catch {}
}

interface StartCall {
  readonly agent: VendorAgent;
  readonly args: readonly string[];
  readonly run: PlannedRun;
  readonly wall: SandboxPort | null;
}

interface Answer {
  readonly ending: ProcessEnding;
  readonly output: string;
}

const WITHIN_MS = 10_000;
const MOST_BYTES = 100_000;
const LONGEST = 300;

/** With empty input, and a marker of its own. */
async function start({ agent, args, run, wall }: StartCall): Promise<Answer> {
  const { spec, place } = agent;
  const [file = ''] = wordsOf(spec.command);
  const folder = await makeTemporaryFolder('preflight');
  const output = join(folder, 'output');
  try {
    const env = run.settings.wall.mode !== 'guard' && process.getuid?.() === 0 ? { ...place.env, IS_SANDBOX: '1' } : place.env;
    const call = { who: 'agent' as const, file, args, cwd: run.workspace.cwd, env };
    await using enclosed = await inSandbox(wall ?? undefined, call);
    const ending = await runProcess(
      {
        ...enclosed.process,
        ...{ stdin: '', marker: `preflight/${randomUUID()}`, stdoutFile: output, stderrFile: 'merged', idleMs: 0, deadlineMs: WITHIN_MS },
        ...{ maxOutputBytes: MOST_BYTES, lingerMs: 0, stopWith: 'terminate', settled: () => false },
        guardian: { watch: () => undefined, forget: () => undefined, reportLeft: () => undefined },
        onSpawned: () => undefined,
        onLine: () => undefined,
      },
      run.signal,
    );
    return { ending, output: await readFile(output, 'utf8').catch(() => '') };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { ending: { kind: 'never-started', reason: 'other', message: error.message }, output: '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const byHand = ({ file, preflight }: VendorAgent) => [file, ...preflight.versionArgs].join(' ');

/** Other lines may be warnings. */
function versionIn(output: string): string | null {
  return (
    output
      .split('\n')
      .map(oneLine)
      .find((line) => /\d+\.\d+/.test(line) && !/warn/i.test(line)) ?? null
  );
}

const isWell = (ending: ProcessEnding) => ending.kind === 'exited' && ending.code === 0;

/** Null if it was only slow, or the operator stopped the check: that says nothing about the agent. */
function whyNot({ ending, output }: Answer): string | null {
  switch (ending.kind) {
    case 'never-started':
      return ending.message;
    case 'exited':
      return `exit code ${ending.code}${saidIn(output)}`;
    case 'signalled':
      return `ended by ${ending.signal}${saidIn(output)}`;
    case 'stopped':
      return null;
  }
}

function saidIn(output: string): string {
  const message = errorMessageIn(output);
  return message === null ? '' : `: ${truncateCodePoints(message, LONGEST)}`;
}

function slow(agent: VendorAgent): Finding {
  const what = `${agent.definition.name} did not print its version within ${WITHIN_MS / 1000} s`;
  return { what, where: agent.file, fix: `Try it by hand: ${byHand(agent)}`, isFatal: false };
}
