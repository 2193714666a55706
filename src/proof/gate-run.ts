import { join, relative } from 'node:path';
import { timeLeft } from '../engine/attempt-folder.ts';
import { stopIfDiskIsFull } from '../engine/disk-full.ts';
import type { CommandRequest, CommandResult } from '../engine/ports/command.ts';
import type { Ports } from '../engine/ports/ports.ts';
import { attemptId, type RunGates } from '../journal/effects/effect.ts';
import type { GateResult } from '../journal/events/gates.ts';
import { slug } from '../kit/pure/text.ts';
import type { GateSpec } from '../settings/schema/run-settings.ts';
import { logFolderOf } from '../store/user-folders.ts';
import { testsReported } from './canaries/tests-reported.ts';
import { commandAt } from './gates/command-at.ts';
import { charsTold } from './judge/feedback.ts';

/** `cwd` is the workspace or a checkout of it; `ownFolder` replaces the work tree while the gate runs. */
export interface GateToRun extends Pick<CommandRequest, 'cwd' | 'ownFolder'> {
  readonly gate: GateSpec;
  readonly effect: RunGates;
  readonly logName: string;
  /** No other gate may have the same marker at the same time: ending a gate ends all processes with its marker. */
  readonly marker: string;
  /** The folder for its log; absent: the usual one, where agents and people find the logs of gates. */
  readonly folder?: string;
  /** How much of its output is returned; absent: as much as a prompt gets. */
  readonly keepChars?: number;
}

/** Runs one gate, and a red one again if it may be flaky. A gate that is green the second time on the same tree is green, and the agent is not blamed. */
export async function runGate(toRun: GateToRun, ports: Ports, signal: AbortSignal): Promise<GateResult> {
  const { gate, effect } = toRun;
  const attempt = attemptId(effect);
  ports.showProgress({ type: 'gate.started', attempt, gate });
  let result = await runGateOnce(toRun, ports, signal);
  for (let again = ports.settings.loop?.flakyRetries ?? 0; again > 0 && mayBeFlaky(result); again -= 1) {
    const second = await runGateOnce(toRun, ports, signal);
    result = second.green ? { ...second, flaky: true } : second;
  }
  ports.showProgress({ type: 'gate.ended', attempt, result });
  return result;
}

/** A gate that Ralph stopped would only be stopped again. */
function mayBeFlaky({ green, ending }: GateResult): boolean {
  return !green && ending.kind === 'exited';
}

/** Runs it once, without showing progress. */
export async function runGateOnce(toRun: GateToRun, ports: Ports, signal: AbortSignal): Promise<GateResult> {
  const { gate, effect, logName, cwd, marker } = toRun;
  const { place, settings } = ports;
  const logFolder = toRun.folder ?? (await logFolderOf(place));
  const logFile = join(logFolder, logName);
  const ran = await ports.command.run(
    {
      command: commandAt(gate.command, place.workspace, cwd),
      cwd,
      ...(toRun.ownFolder && { ownFolder: toRun.ownFolder }),
      marker,
      logFile,
      timeoutMs: timeLeft(gate.timeoutMs, effect.until, ports.clock.nowMs()),
      maxOutputBytes: settings.limits.outputBytes,
      // One more than the prompt gets, so that a cut is visible.
      keepChars: toRun.keepChars ?? charsTold(settings.outputTruncateChars) + 1,
      keep: settings.recipe === 'run' ? 'beginning' : 'end',
      digest: isReceipted(settings),
    },
    signal,
  );
  await stopIfDiskIsFull(ran.ending, logFolder);
  const result = resultOf(gate, ran, relative(place.workspace, logFile));
  return !isReceipted(settings) || toRun.keepChars !== undefined ? result : { ...result, tests: testsReported(ran.output) };
}

/** Whether a receipt will need the digest of the output and the number of tests. */
const isReceipted = ({ loop, work }: Ports['settings']) => loop !== null || work !== null;

/** The result of a gate, as it is journaled. */
export function resultOf(gate: GateSpec, { ending, output, outputBytes, outputSha256, durationMs }: CommandResult, log: string): GateResult {
  const green = ending.kind === 'exited' && ending.code === 0;
  return {
    gate,
    green,
    flaky: false,
    ending,
    log,
    output,
    output_bytes: outputBytes,
    output_sha256: outputSha256,
    duration_ms: Math.round(durationMs),
  };
}

/**
 * `guardrail_003_make_test.log`; a second gate with the same slug gets `_1`, the next `_2` (seed 001). After a review, the name of the review comes before
 * the slug.
 */
export function logNames({ gates, iteration, phase }: RunGates): readonly string[] {
  const taken = new Set<string>();
  const before = `guardrail_${String(iteration).padStart(3, '0')}_${phase === '' ? '' : `${phase}_`}`;
  return gates.map(({ command }) => {
    const name = slug(command);
    let free = name;
    for (let twin = 1; taken.has(free); twin += 1) free = `${name}_${twin}`;
    taken.add(free);
    return `${before}${free}.log`;
  });
}
