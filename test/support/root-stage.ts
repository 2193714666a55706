import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JournalEvent, type RootRunner, type SuperviseOptions, type SuperviseResult, superviseRoot } from '../../src/index.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';

/** A task whose root agent is a function, and a workspace beside it. */
export interface RootStage extends AsyncDisposable {
  readonly path: string;
  readonly runDir: string;
  /** What it was asked to run so far: the numbers of its lives. */
  readonly attempts: number[];
  readonly events: JournalEvent[];
  supervise(runRoot: RootRunner, more?: Partial<SuperviseOptions>): Promise<SuperviseResult>;
  writeDone(): Promise<void>;
  /** Waits until the journal has an event of that type. */
  told(type: JournalEvent['body']['type']): Promise<void>;
  /** Every line of the bus; none while there is no bus. */
  busLines(): Promise<readonly string[]>;
}

/** Delays that nobody looks at are as short as can be. */
const QUICK = { restartDelay: 0, pollInterval: 20 } as const;

export async function openRootStage(): Promise<RootStage> {
  const folder = await openThrowAwayFolder();
  const [path, runDir] = [join(folder.path, 'work'), join(folder.path, 'tasks', 'demo', 'task-001')];
  await mkdir(path);
  const attempts: number[] = [];
  const events: JournalEvent[] = [];
  const bus = join(runDir, 'TASK-MESSAGE-BUS.md');
  return {
    path,
    runDir,
    attempts,
    events,
    supervise: (runRoot, more = {}) =>
      superviseRoot({
        runDir,
        workspaceRoot: path,
        onEvent: (event) => void events.push(event),
        ...QUICK,
        ...more,
        async runRoot(signal, attempt, life) {
          attempts.push(attempt);
          await runRoot(signal, attempt, life);
        },
      }),
    async writeDone() {
      await mkdir(runDir, { recursive: true });
      await writeFile(join(runDir, 'DONE'), '');
    },
    told: async (type) => void (await until(`${type} is told`, () => events.some(({ body }) => body.type === type))),
    busLines: async () => (existsSync(bus) ? (await readFile(bus, 'utf8')).split('\n') : []),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
