import type { BusPlace, BusWish } from '../open/bus-wish.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { currentDirectory } from '../../../cli/shared/current-directory.ts';

/** What every command of the bus understands. */
export interface BusFlags {
  readonly bus?: string;
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly projectBus?: boolean;
  readonly json?: boolean;
}

export interface PostFlags extends BusFlags {
  readonly type?: string;
  readonly body?: string;
  readonly meta?: readonly string[];
}

export interface ReadFlags extends BusFlags {
  readonly tail?: string;
  readonly since?: string;
  readonly type?: string;
  readonly follow?: boolean;
}

export function busWish({ bus, root, project, task, projectBus }: BusFlags): BusWish {
  return { bus: bus ?? null, root: root ?? null, project: project ?? null, task: task ?? null, projectBus: projectBus ?? false };
}

export function busPlace(): BusPlace {
  return { cwd: currentDirectory(), env: environment() };
}
