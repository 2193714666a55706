import { join } from 'node:path';
import type { Behind } from '../../workspace/git/git-place.ts';
import type { Scope } from '../../kit/async/scope.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { gateEnvironment } from '../../sandbox/environment/agent-environment.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { openWall } from './open-wall.ts';

interface SetupPlace {
  readonly run: string;
  readonly scope: Scope;
  readonly warn: (text: string) => void;
}

/** What stands around the setup of a worktree before its run is at work: what it runs may have been written by the agents of earlier runs. Null: nothing. */
export async function behindSetup(workspace: Workspace, settings: RunSettings, { run, scope, warn }: SetupPlace): Promise<Behind | null> {
  if (settings.wall.gates === 'host') return null;
  const onRefused = ({ target }: { readonly target: string }) =>
    warn(`the sandbox refused worktree.setup a connection to ${target}; sandbox.allowHosts allows it`);
  const place = { workspace, settings, runFolder: join(workspace.home.runsFolder, run), warn, isChild: false };
  const wall = await openWall(place, settings.agent.kind, { name: `${run}-setup`, doors: [], onRefused });
  if (wall === null) return null;
  scope.defer(() => wall[Symbol.asyncDispose]());
  return { wall, env: gateEnvironment(workspace.env, settings.wall.env) };
}
