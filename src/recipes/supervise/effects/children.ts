import type { EffectHandler } from '../../../engine/contracts.ts';
import type { Ports, Supervision } from '../../../engine/ports/ports.ts';
import type { EndChildren, StartChild } from '../../../journal/effects/task-effect.ts';
import type { ChildStarted } from '../../../journal/events/task.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';

/** Ends runs that came from this one. Those that had ended by themselves are not spoken of. */
export const endChildren: EffectHandler<EndChildren> = {
  async perform({ key, runs }, ports) {
    const { ended, left } = await supervisionOf(ports).children.end(runs);
    return { type: 'children.ended', key, ended: [...ended], left: [...left] };
  },

  /** Ended twice they are ended once. */
  find: async () => null,
};

/** A run of its own for somebody in this one. */
export const startChild: EffectHandler<StartChild> = {
  async perform(effect, ports, _report, signal) {
    const { key, child } = effect;
    const answer = await supervisionOf(ports).children.start(child, signal);
    return answer.kind === 'started' ? childStarted(effect, answer.identity) : { type: 'child.refused', key, run: child.run, why: answer.why };
  },

  /** One that had registered was started, whatever became of it since: started again it would be another. */
  async find(effect, ports) {
    const identity = await supervisionOf(ports).children.find(effect.child.run);
    return identity && childStarted(effect, identity);
  },
};

function childStarted({ key, child }: StartChild, { host, bootId, pid, startTime }: ProcessIdentity): ChildStarted {
  return { type: 'child.started', key, run: child.run, host, boot_id: bootId, pid, start_time: startTime };
}

/** Effects on a task folder are decided only where there is one. */
export function supervisionOf({ supervision }: Pick<Ports, 'supervision'>): Supervision {
  if (supervision === null) throw new Error('This run has no task folder.');
  return supervision;
}
