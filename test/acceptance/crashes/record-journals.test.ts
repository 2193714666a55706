import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, limited, turn } from '../../support/claude-script.ts';
import { linesOf, openCrashWorld } from '../../support/crash-world.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { journalPath, withoutTheMachine } from '../../support/recorded-journals.ts';
import { openStage, WORK } from '../../support/stage.ts';
import { openStoriesStage, story } from '../../support/stories-stage.ts';
import { type Part, rejects } from '../../support/story-part.ts';
import { openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';
import { openWorkStage } from '../../support/work-stage.ts';

/** `npm run record:journals`: real runs of the built program, whose journals test/crashes/recorded-journals-replay.test.ts replays. */

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

async function keep(name: string, runs: string, place: string, which = 0): Promise<void> {
  const [run] = readdirSync(runs)
    .filter((each) => !each.includes('.lock'))
    .sort()
    .slice(which);
  const folders = { [place]: '/place', [PROJECT]: '/ralph', [process.execPath]: '/usr/bin/node' };
  await writeFile(journalPath(name), withoutTheMachine(join(runs, `${run}`, 'journal.jsonl'), folders));
}

const killed = (at: number): Crash => ({ at, mode: 'after' });

describe('run', () => {
  it.each([
    ['run-red-then-green', [], {}],
    ['run-commits', [], { commits: true }],
    ['loop', ['--max-cost', '5', '--max-time', '10m'], { loop: true, settings: { prices: { '*': { input: 1, output: 2 } } } }],
  ] as const)('%s', async (name, flags, kind) => {
    await using world = await openCrashWorld({ ...kind, flags });
    const run = await world.start().ended;
    expect(run, run.stderr).toMatchObject({ code: 0 });
    await keep(name, dirname(world.runFolder()), dirname(world.git('rev-parse', '--show-toplevel')));
  });

  it.each([
    ['run-interrupted', { commits: true }, 18],
    ['loop-interrupted', { loop: true }, 19],
  ] as const)('%s', async (name, kind, at) => {
    await using world = await openCrashWorld(kind);
    await world.crash(killed(at));
    await keep(name, dirname(world.runFolder()), dirname(world.git('rev-parse', '--show-toplevel')));
  });

  it('run-resumed', async () => {
    await using world = await openCrashWorld();
    await world.crash({ at: 5, mode: 'torn' });
    await world.crash({ at: 12, mode: 'after', resume: true });
    expect(await world.resume()).toMatchObject({ code: 0 });
    await keep('run-resumed', dirname(world.runFolder()), dirname(world.git('rev-parse', '--show-toplevel')));
  });

  it('run-plain', async () => {
    await using stage = await openStage([turn(...ends('Not yet.')), turn(bash(WORK), ...ends(CLAIM))], { gate: null });
    expect(await stage.run()).toMatchObject({ code: 0 });
    await keep('run-plain', join(stage.repo.path, '.git', 'ralph', 'runs'), dirname(stage.repo.path));
  });

  it('run-limited', async () => {
    await using stage = await openStage([limited(1_000), turn(bash(WORK), ...ends(CLAIM))]);
    expect(await stage.run()).toMatchObject({ code: 0, result: { iterations: 1, attempts: 2 } });
    await keep('run-limited', join(stage.repo.path, '.git', 'ralph', 'runs'), dirname(stage.repo.path));
  });

  it('run-told-to-leave', async () => {
    await using world = await openCrashWorld({ settings: { shutdownGrace: { sigterm: '60s' } } });
    await world.hang('agent');
    const running = world.start();
    await until('the agent is at work', () => world.log().length === 1);
    running.child.kill('SIGTERM');
    await until('it has heard', () => linesOf(join(world.runFolder(), 'journal.jsonl')).some((line) => line.includes('operator.asked')));
    await world.release('agent');
    expect(await running.ended).toMatchObject({ code: 143 });
    await keep('run-told-to-leave', dirname(world.runFolder()), dirname(world.git('rev-parse', '--show-toplevel')));
  });

  it('run-reviews', async () => {
    const prompts = ['first', 'second'].map((name) => ({ name, prompt: `Review it: ${name}.` }));
    const script = [
      turn(...ends('Not yet.')),
      turn(bash(WORK), ...ends(CLAIM)),
      turn(...ends('Nothing found.')),
      turn(bash('echo worse > work.txt'), ...ends('x')),
    ];
    await using stage = await openStage([...script, turn(bash(WORK), ...ends('Mended.'))], { settings: { reviews: { reviewAfter: 1, prompts } } });
    expect(await stage.run()).toMatchObject({ code: 0 });
    await keep('run-reviews', join(stage.repo.path, '.git', 'ralph', 'runs'), dirname(stage.repo.path));
  });
});

describe('work', () => {
  const open = () => openWorkStage(['A', ['B', 'verify: test -e B.txt'], 'C'], '[ "$id$nth" = B1 ] || work; claim', { edges: [['A', 'C']] });

  it.each([
    ['work', null],
    ['work-interrupted', 30],
  ] as const)('%s', async (name, at) => {
    await using stage = await open();
    if (at === null) expect(await stage.work('--workers', '2')).toMatchObject({ code: 0 });
    else await stage.crash(killed(at), '--workers', '2');
    await keep(name, join(stage.repo.path, '.git', 'ralph', 'runs'), dirname(stage.repo.path));
  });
});

describe('stories', () => {
  const cheats: Part = (me) => {
    me.good();
    Object.assign(me.of('US-002'), { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' });
    me.write('ralph/prd.md', 'easy\n');
    me.save();
  };

  it.each([
    ['stories', null],
    ['stories-interrupted', 20],
  ] as const)('%s', async (name, at) => {
    await using stage = await openStoriesStage([story('US-001'), story('US-002')], [cheats, rejects]);
    if (at === null) expect(await stage.work()).toMatchObject({ code: 0 });
    else await stage.crash(killed(at));
    await keep(name, join(stage.repo.path, '.git', 'ralph', 'runs'), dirname(stage.repo.path));
  });
});

describe('supervise and job', () => {
  /** Fails, then starts a child and claims too early, then does the work. */
  const AGENT = `case $life in 1) exit 1 ;; 2) ralph job --detach -- sh -c 'echo done' ;; *) : >"$here/work" ;; esac\n: >"$TASK_FOLDER/DONE"`;
  const flags = (stage: SuperviseStage) => ['--check', `test -e ${join(stage.beside, 'work')}`];

  it('supervise, and its child', async () => {
    await using stage = await openSuperviseStage(AGENT);
    expect(await stage.supervise(...flags(stage))).toMatchObject({ code: 0 });
    await keep('supervise', join(stage.task, 'runs'), dirname(stage.path));
    await keep('supervise-child', join(stage.task, 'runs'), dirname(stage.path), 1);
  });

  it('supervise-interrupted', async () => {
    await using stage = await openSuperviseStage(AGENT);
    await stage.crash(killed(21), ...flags(stage));
    await keep('supervise-interrupted', join(stage.task, 'runs'), dirname(stage.path));
  });

  it.each([
    ['job', null],
    ['job-interrupted', 4],
  ] as const)('%s', async (name, at) => {
    await using stage = await openSuperviseStage('echo hello');
    const words = ['job', '--project', 'demo', '--task', 'the-task', '--json', '--check', 'true', '--', 'sh', join(stage.beside, 'agent.sh')];
    if (at === null) expect(await stage.ralph(...words)).toMatchObject({ code: 0 });
    else await stage.die(killed(at), ...words);
    await keep(name, join(stage.task, 'runs'), dirname(stage.path));
  });
});
