import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type CrashWorld, linesOf, openCrashWorld } from '../../support/crash-world.ts';
import { receiptFrom } from '../../support/receipt-from.ts';
import { openStoriesStage, standings, expectTidy as storiesAreTidy, story } from '../../support/stories-stage.ts';
import { openSuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';
import { expectTidy, openWorkStage, timesOnMain } from '../../support/work-stage.ts';
import { dieInTurn, KILLS } from './kills.ts';

/** Many processes one after the other, on a machine that may be busy. */
vi.setConfig({ testTimeout: 300_000 });

const RESUME = ['runs', 'resume', '--json'] as const;

/** No torn line, no gap, no decreasing time, and no attempt number used twice. */
function expectWhole(journal: readonly Record<string, unknown>[], kills: readonly unknown[]): void {
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
  const times = journal.map(({ at }) => Number(at));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const begun = journal.flatMap(({ type, key }) => (type === 'effect.begun' && `${key}`.startsWith('agent:') ? [key] : []));
  expect(new Set(begun).size).toBe(begun.length);
  expect(journal.filter(({ type }) => type === 'run.resumed')).toHaveLength(kills.length);
}

const journalOf = (world: CrashWorld) => linesOf(join(world.runFolder(), 'journal.jsonl')).map((line): Record<string, unknown> => JSON.parse(line));

it('the table kills every recipe, at least thirty times in total, before and after each kind of effect', () => {
  const kills = Object.values(KILLS).flat();
  expect(Object.keys(KILLS).sort()).toEqual(['job', 'loop', 'run', 'stories', 'supervise', 'work']);
  expect(kills.length).toBeGreaterThanOrEqual(30);
  const names = new Set(kills.map(([at]) => at));
  for (const fact of ['attempt.ended', 'gates.judged', 'commit.made', 'command.ended', 'merge.judged', 'stories.settled', 'stories.recorded', 'plan.settled'])
    expect(names).toContain(fact);
  for (const fact of ['task.taken', 'task.released', 'paths.restored', 'receipt.written', 'posted', 'child.started', 'done.refused'])
    expect(names).toContain(fact);
});

it('a run that is killed again and again makes one commit, pushes it, and succeeds', async () => {
  await using world = await openCrashWorld({ commits: true });
  await dieInTurn(KILLS.run, world.crash, world.crash);
  const { code, stderr, result } = await world.resume();

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(result).toMatchObject({ done: true, stop_reason: 'completed', unproven: false, iterations: 2 });
  expectWhole(journalOf(world), KILLS.run);
  for (const branch of ['main', 'origin/main']) expect(world.git('log', '--format=%s', '--reverse', branch)).toBe('start\nsettings\nTake step 2');
  expect(world.git('status', '--porcelain')).toBe('');
  const calls = world.log().filter((line) => line.startsWith('agent'));
  expect(new Set(calls).size, 'no attempt is made twice').toBe(calls.length);
  await until('nothing runs any more', () => world.processes().length === 0);
});

it('a loop that is killed again and again neither loses nor repeats a proof', async () => {
  await using world = await openCrashWorld({ loop: true });
  await dieInTurn(KILLS.loop, world.crash, world.crash);
  const { code, stderr } = await world.resume();

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expectWhole(journalOf(world), KILLS.loop);
  const restored = journalOf(world).filter(({ type, paths }) => type === 'paths.restored' && (paths as readonly string[]).length > 0);
  expect(restored).toMatchObject([{ iteration: 1, paths: ['check.sh'] }]);
  expect(world.git('show', `${restored[0]?.['kept']}:check.sh`)).toBe('true');
  expect(world.git('log', '--format=%s', '--reverse')).toBe('start\nIteration 2: Do the work.');
  expect(world.git('status', '--porcelain')).toBe('');
  const note = world.git('notes', '--ref=ralph', 'show', 'HEAD');
  expect(readFileSync(join(world.runFolder(), 'receipt.json'), 'utf8').trim()).toBe(note);
  expect(receiptFrom(note)).toMatchObject({ commit: world.git('rev-parse', 'HEAD'), where: 'clean', iterations: 2 });
  expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
  await until('nothing runs any more', () => world.processes().length === 0);
});

it('ralph work that is killed again and again does every task once and loses no commit', async () => {
  const agent = 'work; git rev-parse HEAD >>"$here/commits"; claim';
  await using stage = await openWorkStage([['A', 'verify: test -e A.txt'], 'B'], agent);
  await dieInTurn(
    KILLS.work,
    (crash) => stage.crash(crash, '--workers', '2'),
    (crash) => stage.die(crash, ...RESUME),
  );
  const run = await stage.over(stage.start(...RESUME));

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true } });
  expectWhole(stage.journal(), KILLS.work);
  expect(stage.merged().toSorted()).toEqual(['A', 'B']);
  expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete' });
  for (const id of ['A', 'B']) expect([id, timesOnMain(stage, `work of ${id}`), stage.repo.git('show', `main:${id}.txt`)]).toEqual([id, 1, `by ${id}`]);
  const verified = await stage.ralph('verify', `${stage.journal()[0]?.['run']}`, '--json');
  const noCheck = { task: 'B', problem: 'it has no check, so it proves nothing' };
  expect(JSON.parse(verified.stdout).receipts.toSorted(byTask), verified.stderr).toMatchObject([
    { task: 'A', as_recorded: true, signature: { state: 'signed' } },
    noCheck,
  ]);
  for (const commit of new Set(stage.read('commits').trim().split('\n'))) expect(stage.repo.git('for-each-ref', '--contains', commit)).not.toBe('');
  expectTidy(stage);
});

const byTask = (one: { task: string }, other: { task: string }) => one.task.localeCompare(other.task);

/** Implements new stories and approves implemented ones. */
const WRITES_STORIES = `prompt=$(cat)
echo at work
case "$prompt" in
  *'mode \`review\`'*) echo review >>"$RALPH_STORY_STAGE/turns"; echo '{"decision": "approved", "feedback": "", "notes": ""}'; exit ;;
  *) echo implement >>"$RALPH_STORY_STAGE/turns"; echo x >US-001.txt; change='s/"reviewStatus": null/"reviewStatus": "needs_review"/' ;;
esac
sed -i "$change" ralph/tasks.json
git add -A
git commit -qm 'feat: [US-001] - turn'
`;

it('a run on stories that is killed again and again ends with its story approved by its last review', async () => {
  await using stage = await openStoriesStage([story('US-001')]);
  const agent = join(stage.repo.beside, 'agent.sh');
  await writeFile(agent, WRITES_STORIES);
  await dieInTurn(
    KILLS.stories,
    (crash) => stage.crash(crash, '--agent', `sh ${agent}`),
    (crash) => stage.die(crash, ...RESUME),
  );
  const run = await stage.over(stage.start(...RESUME));

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, stories: { approved: 1 } } });
  expectWhole(stage.journal(), KILLS.stories);
  expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
  const turns = linesOf(join(stage.repo.beside, 'turns'));
  expect(turns.at(-1)).toBe('review');
  expect(turns).toContain('implement');
  storiesAreTidy(stage);
});

/** Starts a child once, claims to be done at once, and does the work only after that claim was refused. */
const ROOT = `[ -e "$here/asked" ] || { ralph job --detach -- sh -c 'echo done' || exit 1; : >"$here/asked"; }
[ ! -e "$TASK_FOLDER/DONE.refused-1" ] || : >"$here/work"
: >"$TASK_FOLDER/DONE"`;

it('a supervisor that is killed again and again refuses DONE once, posts once, and counts every start of the agent', async () => {
  await using stage = await openSuperviseStage(ROOT);
  const flags = ['--check', `test -e ${join(stage.beside, 'work')}`];
  const resume = () => ['runs', 'resume', `${readdirSync(join(stage.task, 'runs')).toSorted()[0]}`, '--json'];
  await dieInTurn(
    KILLS.supervise,
    (crash) => stage.crash(crash, ...flags),
    (crash) => stage.die(crash, ...resume()),
  );
  const run = await stage.over(stage.start(...resume()));

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: false } });
  const own = linesOf(join(run.result?.run_folder ?? '', 'journal.jsonl')).map((line): Record<string, unknown> => JSON.parse(line));
  expectWhole(own, KILLS.supervise);
  expect(readdirSync(stage.task).filter((name) => name.startsWith('DONE'))).toEqual(['DONE', 'DONE.refused-1']);
  expect(existsSync(join(stage.beside, 'work'))).toBe(true);
  expect(new Set(stage.lives()).size).toBe(stage.lives().length);
  const charged = own.filter(({ type, result }) => type === 'iteration.closed' && result !== 'abandoned');
  expect(run.result?.restarts).toBe(charged.length);
  expect(stage.projectMessages().map(({ header }) => header)).toEqual([expect.stringContaining(`"restarts":"${charged.length}"`)]);
});

it('a job that is killed again and again is done once it is resumed', async () => {
  await using stage = await openSuperviseStage('echo hello; : >"$here/work"');
  const words = ['job', '--project', 'demo', '--task', 'the-task', '--json', '--check', `test -e ${join(stage.beside, 'work')}`];
  await dieInTurn(
    KILLS.job,
    (crash) => stage.die(crash, ...words, '--', 'sh', join(stage.beside, 'agent.sh')),
    (crash) => stage.die(crash, ...RESUME),
  );
  const run = await stage.over(stage.start(...RESUME));

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: false } });
  expectWhole(stage.journal(), KILLS.job);
  expect(new Set(stage.lives()).size).toBe(stage.lives().length);
});

it('a run that is killed before its first complete line does not block a new one, and a finished run is not resumed', async () => {
  await using world = await openCrashWorld();
  await world.crash({ at: 'run.started', mode: 'torn' });
  expect((await world.resume()).stderr).toMatch(/^error: there is no run here\n/);
  await world.crash({ at: 'run.stopped', mode: 'after' });
  const refused = await world.resume();
  expect(refused).toMatchObject({ code: 2, result: { stop_reason: 'fatal', done: false, exit_code: 2 } });
  expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
});
