import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Children } from '../../src/engine/ports/supervision.ts';
import { isAlive, thisMachine } from '../../src/process/identity.ts';
import { type ActiveChild, type ChildrenOptions, openChildren } from '../../src/recipes/supervise/children/open-children.ts';
import { nobody } from './process-request.ts';

const STAND_IN = join(import.meta.dirname, '../fixtures/children/job-stand-in.mjs');

export interface StandInChildren {
  readonly children: Children;
  readonly options: ChildrenOptions;
  /** Where the children have their journals. */
  readonly runsFolder: string;
}

/** Real processes that stand in for `ralph job`, in a folder. */
export function standInChildren(folder: string, over: Partial<ChildrenOptions> = {}): StandInChildren {
  const [runFolder, runsFolder] = [join(folder, 'supervisor'), join(folder, 'runs')];
  for (const each of [runFolder, runsFolder]) mkdirSync(each, { recursive: true });
  const { host, bootId } = thisMachine();
  const options: ChildrenOptions = {
    usual: { file: process.execPath, args: [STAND_IN, 'job'], agentArgs: ['--agent=usual'], task: 'the-task' },
    env: { PATH: process.env['PATH'] ?? '', STAND_IN_RUNS: runsFolder, STAND_IN_HOST: host, STAND_IN_BOOT: bootId },
    cwd: folder,
    runFolder,
    markerPrefix: `supervisor-${process.pid}~1`,
    guardian: nobody,
    runFolderOf: (run) => join(runsFolder, run),
    activeRuns: async () => atWorkIn(runsFolder),
    registerWithinMs: 30_000,
    ...over,
  };
  return { children: openChildren(options), options, runsFolder };
}

function atWorkIn(runsFolder: string): readonly ActiveChild[] {
  return readdirSync(runsFolder).flatMap((run) => {
    const { host, boot_id, pid, start_time } = JSON.parse(readFileSync(join(runsFolder, run, 'journal.jsonl'), 'utf8')).writer;
    const identity = { host, bootId: boot_id, pid, startTime: start_time };
    return isAlive(identity) ? [{ run, identity, isOurs: true }] : [];
  });
}
