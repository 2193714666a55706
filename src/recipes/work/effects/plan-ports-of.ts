import type { Ports, WorkPorts } from '../../../engine/ports/ports.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';

/** Effects on a plan are decided only in runs that have one. */
export function planPortsOf({ work }: Pick<Ports, 'work'>): WorkPorts {
  if (work === null) throw new Error('This run has no plan.');
  return work;
}

/** The settings for that plan. */
export function workSpecOf({ settings }: Pick<Ports, 'settings'>): WorkSpec {
  if (settings.work === null) throw new Error('This run has no plan.');
  return settings.work;
}
