import type { EffectHandler } from '../../../engine/contracts.ts';
import type { Ports, Supervision } from '../../../engine/ports/ports.ts';
import type { EndChildren, StartChild } from '../../../journal/effects/task-effect.ts';
import type { ChildStarted } from '../../../journal/events/task.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';

/** Ends runs that this run asked for. Those that had already ended are not reported. */
export const endChildren: EffectHandler<EndChildren> = {
  async perform({ key, runs }, ports) {
    const { ended, left } = await supervisionOf(ports).children.end(runs);
    return { type: 'children.ended', key, ended: [...ended], left: [...left] };
  },

  /** Ending twice does no harm. */
  find: async () => null,
};

/** Starts a child run for an agent of this run. */
export const startChild: EffectHandler<StartChild> = {
  async perform(effect, ports, _report, signal) {
    const { key, child } = effect;
    const answer = await supervisionOf(ports).children.start(child, signal);
    return answer.kind === 'started' ? childStarted(effect, answer.identity) : { type: 'child.refused', key, run: child.run, why: answer.why };
  },

  /** A registered child was started, whatever happened since: starting it again would create a second one. */
  async find(effect, ports) {
    const identity = await supervisionOf(ports).children.find(effect.child.run);
    return identity && childStarted(effect, identity);
  },
};

function childStarted({ key, child }: StartChild, { host, bootId, pid, startTime }: ProcessIdentity): ChildStarted {
  return { type: 'child.started', key, run: child.run, host, boot_id: bootId, pid, start_time: startTime };
}

/** Effects on a task folder are decided only in runs that have one. */
export function supervisionOf({ supervision }: Pick<Ports, 'supervision'>): Supervision {
  if (supervision === null) throw new Error('This run has no task folder.');
  return supervision;
}
