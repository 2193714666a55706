import { resolve } from 'node:path';
import { foldersIn } from '../../kit/files/read.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { diffCommand } from '../../runs/command/undo.ts';
import { runsFolders } from '../../runs/manage/runs-folders.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { stateFolder } from '../../store/user-folders.ts';
import { whatIsSaid } from '../../watch/command/carry-out.ts';
import { patchOfBranch } from '../../workspace/take-back.ts';
import type { AppParts } from '../server/app.ts';
import { openCleanJson } from '../server/clean-json.ts';
import type { RunsPlace } from '../server/followed-runs.ts';
import { openProject, type ProjectOptions, projectName } from '../server/project.ts';
import type { Ends } from '../view/changes.ts';

export interface PagePlace {
  readonly cwd: string;
  /** Whether `cwd` contains projects. */
  readonly isRoot: boolean;
  readonly readOnly: boolean;
  readonly fleets?: ProjectOptions['fleets'];
  /** Where copies of runs of other machines lie. */
  readonly copies?: () => readonly RunsPlace[];
}

/** What a page shows, served or exported. */
export type PageParts = Pick<AppParts, 'project' | 'toJson' | 'patchOf'> & Disposable;

export function openPageParts({ cwd, isRoot, readOnly, fleets, copies = () => [] }: PagePlace): PageParts {
  const project = openProject({
    name: projectName(cwd),
    folders: async () => [...(await placesIn(isRoot ? [cwd, ...foldersIn(cwd).map((name) => resolve(cwd, name))] : [cwd])), ...copies()],
    quotaFolder: stateFolder(environment()),
    readOnly,
    ...(fleets && { fleets }),
  });
  return {
    project,
    toJson: openCleanJson(openSecretHider(secretsInEnvironment())),
    patchOf: (run, place, ends) => (ends === null ? whatIsSaid(place, () => diffCommand(run, {})) : changesBetween(place, ends)),
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

async function changesBetween(cwd: string, ends: Ends): Promise<string> {
  return (await patchOfBranch({ cwd, env: environment() }, ends, ['--patch'])).toString();
}

async function placesIn(folders: readonly string[]): Promise<readonly RunsPlace[]> {
  const found = await Promise.all(folders.map(async (cwd) => (await runsFolders(cwd)).map((runsFolder) => ({ runsFolder, cwd }))));
  return [...new Map(found.flat().map((place) => [place.runsFolder, place])).values()];
}
