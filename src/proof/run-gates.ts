import { attemptMarker } from '../engine/attempt-folder.ts';
import type { EffectHandler } from '../engine/contracts.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { RunGates } from '../journal/effects/effect.ts';
import type { GateResult, GatesJudged } from '../journal/events/gates.ts';
import { gitMust, keptRef } from '../workspace/effects/scm-place.ts';
import { logNames, runGate } from './gate-run.ts';

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
  const together = ports.settings.loop?.parallelChecks === true;
  const marker = attemptMarker(ports.place, effect);
  const toRun = effect.gates.map((gate, index) => ({ gate, effect, cwd, logName: names[index] ?? '', marker: together ? `${marker}+${index + 1}` : marker }));
  if (together) return await Promise.all(toRun.map((each) => runGate(each, ports, signal)));
  const results: GateResult[] = [];
  for (const each of toRun) results.push(await runGate(each, ports, signal));
  return results;
}

type Seen = Pick<GatesJudged, 'tree' | 'head' | 'head_tree' | 'problem'>;

/** The files that the gates are about to see. A tree that may be committed is kept now, whatever the gates do to the files. */
async function look({ name_tree, keep_tree }: RunGates, { git }: Ports): Promise<Seen> {
  const nothing = { tree: null, head: null, head_tree: null, problem: null };
  if (!name_tree) return nothing;
  if (!keep_tree) return { ...nothing, tree: await git.tree() };
  const sight = await git.look();
  return sight ? { tree: sight.tree, head: sight.head, head_tree: sight.headTree, problem: sight.problem } : nothing;
}

function judged({ key, iteration, attempt, where }: RunGates, results: GateResult[], trees: Seen & Pick<GatesJudged, 'tree_after' | 'tidied'>): GatesJudged {
  return { type: 'gates.judged', key, iteration, attempt, where, results, ...trees };
}
