import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunningRalph } from './ralph.ts';
import type { EndedRun } from './stage.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';
import { branchesOf, eventsIn, expectTidy, openWorkStage, type Planned, type WorkStage } from './work-stage.ts';

/** What the agent of a task does in its first calls. In the end each but `impossible` and `asks` does the work. */
const AGENT = `
done_it() { echo "by $id" >"$id.txt"; echo "$id" >>all.txt; save; claim; }
case "$id" in
  crash*) [ $nth -gt 1 ] || { echo part >"$id.part"; kill -9 $$; } ;;
  hang*) [ $nth -gt 1 ] || exec sleep 600 ;;
  limit*) [ $nth -gt 1 ] || { echo "Error: usage limit reached, try again in 1 seconds" >&2; exit 1; } ;;
  lie*) [ $nth -gt 1 ] || { claim; echo 'All done, every test passes.'; exit 0; } ;;
  flood*) head -c 3000000 /dev/zero | tr '\\0' 'x' | fold -w 200 ;;
  killed*) [ $nth -gt 1 ] || { done_it; kill -9 $$; } ;;
  stays*) setsid sleep 600 >/dev/null 2>&1 & ;;
  impossible*) echo "this cannot be done, $nth"; exit 1 ;;
  asks*) echo '<promise>BLOCKED: Which account shall I use?</promise>'; exit 0 ;;
esac
[ "$role" = work ] || { echo "both" >line.txt; save; exit 0; }
case "$id" in same*) echo "$id" >line.txt ;; esac
done_it
`;

/** Two tasks `same` change the same line: whoever is merged second has a conflict to resolve. */
const KINDS = ['plain', 'crash', 'hang', 'limit', 'lie', 'same', 'same', 'flood', 'killed', 'stays', 'impossible', 'asks'] as const;

/** All tasks append to `all.txt`, and git keeps both sides: merged trees are never those that the workers judged. */
const FILES = { '.gitattributes': 'all.txt merge=union\n', 'all.txt': '', 'line.txt': 'start\n' };

export const idsOf = (tasks: number) => Array.from({ length: tasks }, (_, index) => `${KINDS[index % KINDS.length]}${index}`);

export interface BadNight extends WorkStage {
  /** The system's temporary folder, for this night alone. */
  readonly temporary: string;
}

export async function openBadNight(tasks: number): Promise<BadNight> {
  const planned = idsOf(tasks).map((id): Planned => [id, `verify: "test -s ${id}.txt"`]);
  const temporary = await openThrowAwayFolder();
  const stage = await openWorkStage(planned, AGENT, { files: FILES, env: { TMPDIR: temporary.path }, withinMs: 600_000 });
  const dispose = async () => {
    await stage[Symbol.asyncDispose]();
    await temporary[Symbol.asyncDispose]();
  };
  return { ...stage, temporary: temporary.path, [Symbol.asyncDispose]: dispose };
}

const FLAGS = ['--workers', '4', '--retry-failed', '2', '--unproven-tries', '2', '--idle-timeout', '3s', '--proof', 'green'];

/** What a loop used, looked at when it is killed. */
export interface Use {
  readonly peakKb: number;
  readonly openFiles: number;
}

/** A night, with all that its loops said and what each killed one used. */
export interface Night {
  readonly run: EndedRun;
  readonly said: string;
  readonly used: readonly Use[];
}

/** Runs the plan. The loop is killed whenever so many tasks are merged, and resumed. */
export async function workThrough(stage: BadNight, kills: readonly number[]): Promise<Night> {
  const used: Use[] = [];
  let said = '';
  let running: RunningRalph = stage.begin(...FLAGS);
  for (const most of kills) {
    await until(`${most} tasks are merged`, () => running.child.exitCode !== null || stage.merged().length >= most, 600_000);
    if (running.child.exitCode !== null) break;
    used.push(useOf(running));
    await stage.kill(running);
    said += running.stderr();
    running = stage.start('work', '--resume', '--json');
  }
  const run = await stage.over(running);
  return { run, said: said + run.stderr, used };
}

/** What a loop may warn of in such a night: it is true. All else that looks like an alarm is a false one. */
const TRUE_ALARMS = [
  /^\[ralph\] WARNING: Running with --dangerously-skip-permissions without sandbox isolation$/,
  /⚠ .* was cut off when the loop died$/,
  /⚠ Rate limited /,
  /⚠ Exited without completing the task$/,
];

const alarmsIn = (said: string) => said.split('\n').filter((line) => /⚠|\b(?:warning|error):/i.test(line) && !TRUE_ALARMS.some((known) => known.test(line)));

const isLeftToAPerson = (id: string) => /^(?:impossible|asks)/.test(id);

/** Every task is merged once, or left to a person with a reason; nothing is left over. */
export function expectMorning(stage: BadNight, ids: readonly string[], { run, said }: Night): void {
  expect([...stage.merged()].sort(), run.stderr).toEqual(ids.filter((id) => !isLeftToAPerson(id)).sort());
  const worktrees = `${stage.repo.path}.ralph`;
  const released = new Map(eventsIn(stage, 'task.released').map((event) => [event['task'], event['state']]));
  for (const id of ids) expect([id, released.get(id)]).toEqual([id, id.startsWith('asks') ? 'parked' : id.startsWith('impossible') ? 'failed' : 'done']);
  expectTidy(stage, branchesOf(stage.repo, '--no-merged=main'));
  expect(existsSync(worktrees) ? readdirSync(worktrees) : []).toEqual([]);
  for (const branch of branchesOf(stage.repo)) expect(branch).toMatch(/^main$|^ralph\/(?:impossible|asks)/);
  expect(readdirSync(stage.temporary)).toEqual([]);
  expect(readdirSync(join(stage.repo.path, '.git'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  expect(said).not.toMatch(/internal error|exit 70/i);
  expect(alarmsIn(said)).toEqual([]);
}

/** The most memory that the process has had, in kB, and how many files it has open. */
function useOf({ child }: RunningRalph): Use {
  const folder = join('/proc', String(child.pid));
  if (!existsSync(folder)) return { peakKb: 0, openFiles: 0 };
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1] ?? 0);
  return { peakKb, openFiles: readdirSync(join(folder, 'fd')).length };
}
