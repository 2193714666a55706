import { join, relative } from 'node:path';
import { charsTold } from '../../core/feedback.ts';
import { slug } from '../../kit/pure/slug.ts';
import { attemptId, type RunGates } from '../../model/effect.ts';
import type { GateResult, GatesJudged } from '../../model/events/gates.ts';
import type { Fact } from '../../model/events/journal-event.ts';
import type { GateSpec } from '../../model/run-settings.ts';
import { attemptMarker } from '../attempt-place.ts';
import type { EffectHandler } from '../effect-handler.ts';
import type { Ports } from '../ports/ports.ts';
import { stopIfTheDiskIsToBlame } from '../room.ts';
import { logFolderOf } from '../view-folder.ts';

/** All gates, in order, whatever the first ones say: the next prompt should know everything that is red. */
export const runGates: EffectHandler<RunGates> = {
  async perform(effect, ports, _report, signal) {
    const seen = await look(effect, ports);
    const names = logNames(effect);
    const attempt = attemptId(effect);
    const results: GateResult[] = [];
    for (const [index, gate] of effect.gates.entries()) {
      ports.tell({ type: 'gate.started', attempt, gate });
      const result = await runGate({ gate, effect, logName: names[index] ?? '' }, ports, signal);
      ports.tell({ type: 'gate.ended', attempt, result });
      results.push(result);
    }
    const tree_after = effect.name_tree && effect.gates.length > 0 ? await ports.git.tree() : seen.tree;
    return judged(effect, results, { ...seen, tree_after });
  },

  /** What a dead loop saw is not known: the gates are asked again. */
  find: async () => null,
};

type Seen = Pick<GatesJudged, 'tree' | 'head' | 'head_tree' | 'problem'>;

/** What the gates are about to be given. A tree that may be committed is kept as it is now, whatever they do to the files. */
async function look({ name_tree, keep_tree }: RunGates, { git }: Ports): Promise<Seen> {
  const nothing = { tree: null, head: null, head_tree: null, problem: null };
  if (!name_tree) return nothing;
  if (!keep_tree) return { ...nothing, tree: await git.tree() };
  const sight = await git.look();
  return sight ? { tree: sight.tree, head: sight.head, head_tree: sight.headTree, problem: sight.problem } : nothing;
}

interface Asked {
  readonly gate: GateSpec;
  readonly effect: RunGates;
  readonly logName: string;
}

async function runGate({ gate, effect, logName }: Asked, ports: Ports, signal: AbortSignal): Promise<GateResult> {
  const { place, settings } = ports;
  const logFolder = await logFolderOf(place);
  const logFile = join(logFolder, logName);
  const { ending, output, outputBytes, durationMs } = await ports.command.run(
    {
      command: gate.command,
      cwd: place.workspace,
      marker: attemptMarker(place, effect),
      logFile,
      timeoutMs: gate.timeoutMs,
      maxOutputBytes: settings.limits.outputBytes,
      // One more than the prompt is told, so that a cut can be seen.
      keepChars: charsTold(settings.outputTruncateChars) + 1,
    },
    signal,
  );
  await stopIfTheDiskIsToBlame(ending, logFolder);
  const green = ending.kind === 'exited' && ending.code === 0;
  return { gate, green, ending, log: relative(place.workspace, logFile), output, output_bytes: outputBytes, duration_ms: Math.round(durationMs) };
}

/** `guardrail_003_make_test.log`; a second gate with the same slug gets `_1`, the next `_2` (seed 001). After a review its name comes before the slug. */
function logNames({ gates, iteration, phase }: RunGates): string[] {
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

function judged({ key, iteration, attempt, where }: RunGates, results: GateResult[], trees: Seen & Pick<GatesJudged, 'tree_after'>): Fact {
  return { type: 'gates.judged', key, iteration, attempt, where, results, ...trees };
}
