import { join, relative } from 'node:path';
import { slug } from '../../kit/pure/slug.ts';
import type { RunGates } from '../../model/effect.ts';
import type { GateResult, GatesJudged } from '../../model/events/gates.ts';
import type { Fact } from '../../model/events/journal-event.ts';
import type { GateSpec } from '../../model/run-settings.ts';
import { attemptMarker } from '../attempt-place.ts';
import type { EffectHandler } from '../effect-handler.ts';
import type { Ports } from '../ports/ports.ts';
import { stopIfTheDiskIsToBlame } from '../room.ts';
import { logFolderOf } from '../view-folder.ts';

/** More than any prompt is told, so that a cut can be seen; never the whole of a flood. */
const KEEP_AT_MOST = 1_000_000;

/** All gates, in order, whatever the first ones say: the next prompt should know everything that is red. */
export const runGates: EffectHandler<RunGates> = {
  async perform(effect, ports, _report, signal) {
    const nameTree = async () => (effect.name_tree ? await ports.git.tree() : null);
    const tree = await nameTree();
    const names = logNames(effect);
    const results: GateResult[] = [];
    for (const [index, gate] of effect.gates.entries()) results.push(await runGate({ gate, effect, logName: names[index] ?? '' }, ports, signal));
    return judged(effect, results, { tree, tree_after: effect.gates.length > 0 ? await nameTree() : tree });
  },

  /** What a dead loop saw is not known: the gates are asked again. */
  find: async () => null,
};

interface Asked {
  readonly gate: GateSpec;
  readonly effect: RunGates;
  readonly logName: string;
}

async function runGate({ gate, effect, logName }: Asked, ports: Ports, signal: AbortSignal): Promise<GateResult> {
  const { place, settings } = ports;
  const logFolder = await logFolderOf(place);
  const logFile = join(logFolder, logName);
  const keep = settings.outputTruncateChars === 0 ? KEEP_AT_MOST : Math.min(settings.outputTruncateChars + 1, KEEP_AT_MOST);
  const { ending, output, outputBytes, durationMs } = await ports.command.run(
    {
      command: gate.command,
      cwd: place.workspace,
      marker: attemptMarker(place, effect),
      logFile,
      timeoutMs: gate.timeoutMs,
      maxOutputBytes: settings.limits.outputBytes,
      keepChars: keep,
    },
    signal,
  );
  await stopIfTheDiskIsToBlame(ending, logFolder);
  const green = ending.kind === 'exited' && ending.code === 0;
  return { gate, green, ending, log: relative(place.workspace, logFile), output, output_bytes: outputBytes, duration_ms: Math.round(durationMs) };
}

/** `guardrail_003_make_test.log`; a second gate with the same slug gets `_1`, the next `_2` (seed 001). */
function logNames({ gates, iteration }: RunGates): string[] {
  const taken = new Set<string>();
  return gates.map(({ command }) => {
    const name = slug(command);
    let free = name;
    for (let twin = 1; taken.has(free); twin += 1) free = `${name}_${twin}`;
    taken.add(free);
    return `guardrail_${String(iteration).padStart(3, '0')}_${free}.log`;
  });
}

function judged({ key, iteration, attempt, where }: RunGates, results: GateResult[], trees: Pick<GatesJudged, 'tree' | 'tree_after'>): Fact {
  return { type: 'gates.judged', key, iteration, attempt, where, results, ...trees };
}
