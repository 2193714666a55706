import type { EffectHandler } from '../../../engine/contracts.ts';
import type { TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { EndChildren, StartChild } from '../../../journal/effects/task-effect.ts';
import type { ChildStarted } from '../../../journal/events/task.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';

/** Ends runs that this run asked for. Those that had already ended are not reported. */
export const endChildren: EffectHandler<EndChildren, TaskFolderPorts> = {
  async perform({ key, runs }, ports) {
    const { ended, left } = await ports.supervision.children.end(runs);
    return { type: 'children.ended', key, ended: [...ended], left: [...left] };
  },

  /** Ending twice does no harm. */
  find: async () => null,
};

/** Starts a child run for an agent of this run. */
export const startChild: EffectHandler<StartChild, TaskFolderPorts> = {
  async perform(effect, ports, _report, signal) {
    const { key, child } = effect;
    const answer = await ports.supervision.children.start(child, signal);
    return answer.kind === 'started' ? childStarted(effect, answer.identity) : { type: 'child.refused', key, run: child.run, why: answer.why };
  },

  /** A registered child was started, whatever happened since: starting it again would create a second one. */
  async find(effect, ports) {
    const identity = await ports.supervision.children.find(effect.child.run);
    return identity && childStarted(effect, identity);
  },
};

function childStarted({ key, child }: StartChild, { host, bootId, pid, startTime }: ProcessIdentity): ChildStarted {
  return { type: 'child.started', key, run: child.run, host, boot_id: bootId, pid, start_time: startTime };
}
