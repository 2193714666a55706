import type { ProcessIdentity } from '../../../process/process-ending.ts';
import type { ChildStarted } from '../../../journal/events/task.ts';
import type { StartChild } from '../../../journal/effects/task-effect.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { supervisionOf } from './supervision-of.ts';

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
