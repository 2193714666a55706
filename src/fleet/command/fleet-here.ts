import { currentDirectory } from '../../cli/shared/flags.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { type Database, openDatabase } from '../../store/postgres/open-database.ts';
import { baseBranch, withGit } from '../../workspace/check-base.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { viewFleets } from '../fleet-view.ts';
import { type FleetClone, type OpenFleet, openFleet } from '../open-fleet.ts';
import { storeUrl } from '../store-url.ts';

export interface FleetFlags {
  readonly store?: string;
  readonly json?: boolean;
}

/** The address of the store, in any folder. */
export async function storeHere(flag: string | undefined): Promise<string> {
  const cwd = currentDirectory();
  const url = storeUrl({ flag: flag ?? null, env: environment(), setting: (await loadSettings(cwd)).settings.store?.url });
  if (url !== null) return url;
  throw new OperatorError('no-store', 'no store is named', {
    hint: 'Name it: --store postgres://user@host:5432/database, RALPH_STORE or store.url.',
    exitCode: 2,
  });
}

interface ShownStore {
  /** Looks at all its fleets. */
  readonly look: () => Promise<readonly FleetView[]>;
  readonly database: Database;
}

/** A store whose fleets are looked at, again and again. Refuses one that cannot be shown. True: the one that variables and settings name. */
export async function openShownStore(store: string | true, scope: Scope): Promise<ShownStore> {
  const database = await openDatabase(await storeHere(store === true ? undefined : store));
  // One that hangs must not delay whoever leaves.
  scope.defer(() => void database[Symbol.asyncDispose]());
  if ((await viewFleets(database)).length > 0) return { look: () => viewFleets(database), database };
  throw new OperatorError('no-fleet', `the store ${database.name} has no fleet`, { hint: 'Make one, in a clone: ralph fleet init', exitCode: 2 });
}

export async function hereOf(flag: string | undefined, scope: Scope): Promise<{ readonly url: string; readonly clone: FleetClone }> {
  const url = await storeHere(flag);
  const workspace = await openWorkspace(currentDirectory(), scope);
  const git = withGit(workspace);
  return { url, clone: { topLevel: git.topLevel, env: workspace.env, base: await baseBranch(workspace, git) } };
}

export async function fleetHere(flag: string | undefined, scope: Scope): Promise<OpenFleet & { readonly clone: FleetClone }> {
  const { url, clone } = await hereOf(flag, scope);
  const fleet = await openFleet(url, clone);
  scope.defer(() => fleet[Symbol.asyncDispose]());
  return { ...fleet, clone };
}

export function print(json: boolean, view: object, lines: readonly string[]): void {
  io().stdout.write(json ? `${JSON.stringify(view)}\n` : `${lines.join('\n')}\n`);
}
