import { join, relative } from 'node:path';
import { attemptMarker, timeLeft } from '../engine/attempt-folder.ts';
import type { EffectHandler } from '../engine/contracts.ts';
import { stopIfDiskIsFull } from '../engine/disk-full.ts';
import type { CommandRequest, CommandResult } from '../engine/ports/command.ts';
import type { Ports } from '../engine/ports/ports.ts';
import { attemptId, type RunGates } from '../journal/effects/effect.ts';
import type { GateResult, GatesJudged } from '../journal/events/gates.ts';
import { shellQuote } from '../kit/pure/shell-words.ts';
import { lastCodePoints, slug, truncateCodePoints } from '../kit/pure/text.ts';
import { factsOf, flakyRetriesOf, runsGatesTogether } from '../settings/schema/recipe-facts.ts';
import type { GateSpec } from '../settings/schema/run-settings.ts';
import { logFolderOf } from '../store/user-folders.ts';
import { gitMust, keptRef } from '../workspace/effects/scm-place.ts';
import { testsReported } from './canaries/shown-in.ts';
import { gateTurn } from './gate-turns.ts';
import { charsTold } from './judge/feedback.ts';

/** Runs all gates, whatever the first ones report, because the next prompt should know everything that is red. In order, unless they may run in parallel. */
export const runGates: EffectHandler<RunGates> = {
  async perform(effect, ports, _report, signal) {
    if (effect.where === 'clean' && effect.tree !== null) return await inACleanCheckout(effect, effect.tree, ports, signal);
    const seen = await look(effect, ports);
    const results = await runAll(effect, ports, effect.cwd ?? ports.place.workspace, signal);
    const tidied = await tidyUp(effect, ports);
    const tree_after = effect.name_tree && effect.gates.length > 0 ? await ports.git.tree() : seen.tree;
    return judged(effect, results, { ...seen, tree_after, tidied: [...tidied] });
  },

  /** The results of a dead loop are unknown, so the gates run again. */
  find: async () => null,
};

/** A gate's report in a protected folder must neither be blamed on the next agent nor be committed. */
async function tidyUp({ protect, key }: RunGates, { history, place }: Ports): Promise<readonly string[]> {
  if (protect === null) return [];
  return await gitMust('put back what is protected', () => history.revert(protect.tree, protect.paths, keptRef(place, key.replace(':', '-'))));
}

/** Uses only what would be committed: work that needs stray files is red here. */
async function inACleanCheckout(effect: RunGates, tree: string, ports: Ports, signal: AbortSignal): Promise<GatesJudged> {
  await using checkout = await gitMust('make a fresh checkout', () => ports.history.checkOut(tree));
  const results = await runAll(effect, ports, checkout.path, signal);
  return judged(effect, results, { tree, head: null, head_tree: null, problem: null, tree_after: tree, tidied: [] });
}

async function runAll(effect: RunGates, ports: Ports, cwd: string, signal: AbortSignal): Promise<GateResult[]> {
  const names = logNames(effect);
  const together = runsGatesTogether(ports.settings);
  const marker = attemptMarker(ports.place, effect);
  const toRun = effect.gates.map((gate, index) => ({ gate, effect, cwd, logName: names[index] ?? '', marker: together ? `${marker}+${index + 1}` : marker }));
  if (together) return await Promise.all(toRun.map((each) => runGate(each, ports, signal)));
  const results: GateResult[] = [];
  for (const each of toRun) results.push(await runGate(each, ports, signal));
  return results;
}

type Seen = Pick<GatesJudged, 'tree' | 'head' | 'head_tree' | 'problem' | 'commit_tree' | 'dirt'>;

/** The files that the gates are about to see. A tree that may be committed is kept now, whatever the gates do to the files. */
async function look({ name_tree, keep_tree, start }: RunGates, { git }: Ports): Promise<Seen> {
  const nothing = { tree: null, head: null, head_tree: null, problem: null };
  if (!name_tree) return nothing;
  if (!keep_tree) return { ...nothing, tree: await git.tree() };
  const sight = await git.look(start);
  if (sight === null) return nothing;
  const { tree, head, headTree, problem, withoutDirt } = sight;
  const seen = { tree, head, head_tree: headTree, problem };
  if (withoutDirt === undefined) return seen;
  const { paths, changed } = withoutDirt.dirt;
  return { ...seen, commit_tree: withoutDirt.tree, dirt: { paths: [...paths], changed: [...changed] } };
}

function judged({ key, iteration, attempt, where }: RunGates, results: GateResult[], trees: Seen & Pick<GatesJudged, 'tree_after' | 'tidied'>): GatesJudged {
  return { type: 'gates.judged', key, iteration, attempt, where, results, ...trees };
}

/** `cwd` is the workspace or a checkout of it; `ownFolder` replaces the work tree while the gate runs. */
export interface GateToRun extends Pick<CommandRequest, 'cwd' | 'ownFolder' | 'caches'> {
  readonly gate: GateSpec;
  readonly effect: RunGates;
  readonly logName: string;
  /** No other gate may have the same marker at the same time: ending a gate ends all processes with its marker. */
  readonly marker: string;
  /** The folder for its log; absent: the usual one, where agents and people find the logs of gates. */
  readonly folder?: string;
  /** How much of its output is returned; absent: as much as a prompt gets. */
  readonly keepChars?: number;
  /** How often it runs again if it is red; absent: as the settings say, which have no such number for `run` and stories. */
  readonly flakyRetries?: number;
}

/** Runs one gate, and a red one again if it may be flaky. A gate that is green the second time on the same tree is green, and the agent is not blamed. */
export async function runGate(toRun: GateToRun, ports: Ports, signal: AbortSignal): Promise<GateResult> {
  const { gate, effect } = toRun;
  const attempt = attemptId(effect);
  ports.showProgress({ type: 'gate.started', attempt, gate });
  let result = await runGateOnce(toRun, ports, signal);
  const retries = flakyRetriesOf(ports.settings) ?? toRun.flakyRetries ?? 0;
  for (let again = retries; again > 0 && mayBeFlaky(result); again -= 1) {
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
  // One more than the prompt gets, so that a cut is visible.
  const chars = charsTold(settings.outputTruncateChars) + 1;
  const keep = factsOf(settings).gates === 'guardrails' ? 'beginning' : 'end';
  const counts = isReceipted(settings) && toRun.keepChars === undefined;
  await using _turn = await gateTurn(gate.serial === true, signal);
  const ran = await ports.command.run(
    {
      command: commandAt(gate.command, place.workspace, cwd),
      cwd,
      ...(toRun.ownFolder && { ownFolder: toRun.ownFolder }),
      ...(toRun.caches !== undefined && { caches: toRun.caches }),
      marker,
      logFile,
      timeoutMs: timeLeft(gate.timeoutMs, effect.until, ports.clock.nowMs()),
      maxOutputBytes: settings.limits.outputBytes,
      keepChars: toRun.keepChars ?? (counts ? Math.max(MOST_COUNTED, chars) : chars),
      keep,
      digest: isReceipted(settings),
    },
    signal,
  );
  await stopIfDiskIsFull(ran.ending, logFolder);
  const log = relative(place.workspace, logFile);
  if (!counts) return resultOf(gate, ran, log);
  return { ...resultOf(gate, cut(ran, keep, chars), log), tests: testsReported(`${ran.output}\n${ran.outputEnd ?? ''}`) };
}

/** Several runners of one gate each print how many tests they ran, anywhere in its output. */
const MOST_COUNTED = 1_000_000;

/** A screen, as the command port returns it. */
const END_CHARS = 2_000;

function cut(ran: CommandResult, keep: 'beginning' | 'end', chars: number): CommandResult {
  if (keep === 'end') return { ...ran, output: lastCodePoints(ran.output, chars) };
  const output = truncateCodePoints(ran.output, chars);
  return output === ran.output ? ran : { ...ran, output, outputEnd: ran.outputEnd ?? lastCodePoints(ran.output, END_CHARS) };
}

/** Whether a receipt will need the digest of the output and the number of tests. */
const isReceipted = (settings: Ports['settings']) => {
  const { keepsProgress, hasItems, provesClaims } = factsOf(settings);
  return keepsProgress || hasItems || (provesClaims && settings.proof !== undefined);
};

/** The result of a gate, as it is journaled. */
export function resultOf(gate: GateSpec, { ending, output, outputEnd, outputBytes, outputSha256, durationMs }: CommandResult, log: string): GateResult {
  const green = ending.kind === 'exited' && ending.code === 0;
  return {
    gate,
    green,
    flaky: false,
    ending,
    log,
    output,
    ...(!green && outputEnd !== undefined && { output_end: outputEnd }),
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

/** A gate that names its own folder by an absolute path must use the folder it runs in, which may be a copy elsewhere. */
export function commandAt(command: string, usual: string, here: string): string {
  if (usual === here || (shellQuote(here) !== here && shellQuote(usual) === usual)) return command;
  const named = new RegExp(`(?<![\\w./~-])${usual.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  return command.replaceAll(named, () => here);
}
