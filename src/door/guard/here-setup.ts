import { environment } from '../../sandbox/environment/environment.ts';
import type { GuardSetup } from '../answer-hooks/hook-world.ts';
import { guardSetup } from './guard-setup.ts';
import { projectLists } from '../../sandbox/guard-lists.ts';
import { projectRoot } from './project-root.ts';

/** What the guard goes by in this folder, where no loop is asked. */
export function hereSetup(cwd: string): GuardSetup {
  const root = projectRoot(cwd);
  return guardSetup({ lists: projectLists(root), mode: 'guard', root, cwd, env: environment() });
}
