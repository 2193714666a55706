import { hasBarePipe } from '../../report/console/look.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { type GateSight, lookAtGate } from '../deciders/look-at-gate.ts';
import type { Repository } from '../deciders/repository.ts';
import { isOnlyDocumented } from '../deciders/tools/all-tools.ts';
import { plantsAtFirst } from '../prove/life.ts';

export interface SeenGate {
  readonly gate: GateSpec;
  readonly sight: GateSight;
  /** The programs that it leads to, in the order in which they were found; empty if unknown. */
  readonly leadsTo: readonly string[];
  readonly deciders: { readonly configuration: readonly string[]; readonly tests: readonly string[] };
  /** The files in which failures would be planted. */
  readonly planted: readonly string[];
  /** For a person: what nobody can tell about it, whatever it prints. */
  readonly cannotShow: readonly string[];
}

/** What can be known about a gate without running it. */
export async function seeGate(gate: GateSpec, below: string, repository: Repository): Promise<SeenGate> {
  const sight = await lookAtGate(gate.command, below, repository);
  const isKnown = sight.runners.length > 0;
  const planted = isKnown ? (await plantsAtFirst(repository, sight)).map(({ path }) => path) : [];
  const of = (kind: 'configuration' | 'test') => repository.paths.filter((path) => sight.decides(path) === kind);
  return {
    gate,
    sight,
    // The tools of an unknown gate are all known tools.
    leadsTo: isKnown ? sight.tools.map(({ name }) => name) : [],
    deciders: { configuration: of('configuration'), tests: of('test') },
    planted,
    cannotShow: [...limitsOf(sight, planted), ...(hasBarePipe(gate.command) ? ["a pipe's exit code is its last command's: a failure before it is lost"] : [])],
  };
}

function limitsOf(sight: GateSight, planted: readonly string[]): readonly string[] {
  if (sight.runners.length === 0) return ['unknown runner: not shown to be alive'];
  const documented = sight.tools.filter(isOnlyDocumented).map(({ name }) => name);
  const runsTests = sight.tools.some(({ tests }) => tests.length > 0) || sight.tests.length > 0;
  return [
    ...(sight.choosesTests ? ['runs only chosen tests: others may be red'] : []),
    ...(documented.length > 0 ? [`documented only: nobody ran ${documented.join(', ')} against cheats`] : []),
    ...(runsTests ? [] : ['checks sources and runs no test']),
    ...(planted.length === 0 && runsTests ? ['has no test file yet that a failure could be planted in: not shown to be alive'] : []),
  ];
}
