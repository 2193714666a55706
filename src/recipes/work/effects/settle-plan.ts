import { join } from 'node:path';
import type { EffectHandler } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { SettlePlan } from '../../../journal/effects/work-effect.ts';
import type { PlanSettled } from '../../../journal/events/work.ts';
import type { Plan } from '../../../journal/words/plan.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { oneLine } from '../../../kit/pure/text.ts';
import { settlePlan as compare, withChangesOfOthers } from '../../../plans/graph/settle-plan.ts';
import { protectedPaths } from '../../../settings/schema/recipe-facts.ts';
import { keptRef, messageWithTrailer } from '../../../workspace/effects/scm-place.ts';
import { planAfter, planBefore } from './saved-plan.ts';

/**
 * Compares the agent's plan with the plan of its branch at the start. The plan at home has changed since, and
 * no agent is blamed for what others did there.
 */
export const settlePlan: EffectHandler<SettlePlan, PlanPorts> = {
  async perform(effect, ports) {
    const { task, path, base, iteration } = effect;
    const { branches, plan } = ports.work;
    const form = await planAfter(ports, effect);
    const message = messageWithTrailer(`Task ${oneLine(task.id)}: ${oneLine(task.title)}`, ports.place, iteration);
    const patterns = protectedPaths(ports.settings);
    const ref = keptRef(ports.place, `${iteration}.${effect.attempt}`);
    const protect = patterns.length === 0 ? {} : { protect: { patterns, keptRef: ref } };
    const answer = await branches.settle(path, { message, base, pathspecs: plan.pathspecs, ...protect });
    if (answer.kind === 'trouble') return settled(effect, { ...NOTHING_SAID, ...NOWHERE, problem: answer.why });
    const { head, tree, changed, restored } = answer;
    const branch = { head, tree, changed, restored: restored.slice(0, MOST_PATHS), kept: restored.length === 0 ? null : ref };
    const left = await leftConflicts(path, effect.clashed);
    if (left.length > 0) return settled(effect, { ...NOTHING_SAID, ...branch, problem: `conflict markers are left in ${left.join(', ')}` });
    const before = await planBefore(ports, effect, 'once');
    const truth = before && withChangesOfOthers(before, form, (await plan.read())?.plan ?? null);
    return settled(effect, { ...planEdits(truth, form, task.id), ...branch, problem: null });
  },

  /** Safe to repeat: what the agent had written is saved. */
  find: async () => null,
};

type Said = Pick<PlanSettled, 'claimed' | 'accepted' | 'refused' | 'edits'>;

/** The kept ref has all of them. */
const MOST_PATHS = 1000;

const NOWHERE = { head: '', tree: '', changed: false, restored: [], kept: null };
const NOTHING_SAID: Said = { claimed: false, accepted: [], refused: [], edits: [] };

/** Without a plan in the worktree, such as an uncommitted one, there is nothing to compare with: only the agent's own task counts. */
function planEdits(truth: Plan | null, form: Plan | null, target: string): Said {
  const claimed = saysComplete(form, target);
  if (truth === null) return { ...NOTHING_SAID, claimed };
  const { accepted, refused, edits } = compare(truth, form, target);
  return { claimed, accepted: [...accepted], refused: [...refused], edits: [...edits] };
}

/** True also if it was complete before: then a run has merged it and died, and that counts as a claim. */
function saysComplete(form: Plan | null, target: string): boolean {
  const named = form?.tasks.filter(({ id }) => id === target) ?? [];
  return named.length === 1 && named[0]?.status === 'complete';
}

function settled({ key, iteration }: SettlePlan, came: Omit<PlanSettled, 'type' | 'key' | 'iteration'>): PlanSettled {
  return { type: 'plan.settled', key, iteration, ...came };
}

/** The markers that git writes around both sides, each at the beginning of a line. */
const MARKERS = [/^<{7} /m, /^={7}$/m, /^>{7} /m];

/** The files that still contain both sides: committed or not, they are not resolved. */
export async function leftConflicts(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(paths.map((path) => readText(join(top, path), 'refuse pipes')));
  return paths.filter((_, index) => {
    const text = texts[index];
    return text?.kind === 'text' && MARKERS.every((marker) => marker.test(text.text.replaceAll('\r\n', '\n')));
  });
}
