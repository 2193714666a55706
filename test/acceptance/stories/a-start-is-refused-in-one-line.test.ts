import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Story } from '../../../src/journal/words/story.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import type { Repo } from '../../support/repo.ts';
import { BRANCH, expectTidy, openStoriesStage, planOf, type StoriesProps, type StoriesStage, standings, story } from '../../support/stories-stage.ts';
import type { Part } from '../../support/story-part.ts';

const hangs: Part = (me) => me.hang();
const one = [story('US-001')];
const LINE = /^(warning: .*\n)*error: .+\nhint: .+\n$/;

interface Row {
  readonly name: string;
  readonly told: RegExp;
  readonly props?: StoriesProps;
  readonly flags?: readonly string[];
  readonly arrange?: (repo: Repo) => unknown;
  readonly code?: number;
}

const listed = (...stories: readonly Story[]): StoriesProps => ({ files: { 'ralph/tasks.json': planOf(stories) } });

const ROWS: readonly Row[] = [
  { name: 'a store in RALPH_STORE', props: { env: { RALPH_STORE: 'postgres://db/x' } }, told: /RALPH_STORE names a store, and machines cannot share/ },
  { name: 'a store in the settings', props: { settings: { store: { url: 'postgres://db/x' } } }, told: /store\.url names a store/ },
  { name: 'another branch', props: { on: 'main' }, told: /main is checked out\nhint: .*--create-branch.*git switch --create ralph\/demo/ },
  { name: 'no branch at all', arrange: ({ git }) => git('checkout', '-q', '--detach'), told: /no branch is checked out/ },
  { name: 'a change that is not committed', arrange: ({ write }) => write('dirt.txt', 'x'), told: /not committed/ },
  { name: 'a list that git ignores', props: { files: { '.gitignore': 'ralph/tasks.json\n' } }, told: /git ignores ralph\/tasks\.json/ },
  { name: 'an empty list', props: listed(), told: /has no stories, and an empty list is never complete/ },
  {
    name: 'a list that is no JSON',
    props: { files: { 'ralph/tasks.json': '{"project": ' } },
    flags: ['--plan', 'ralph/tasks.json'],
    told: /ralph\/tasks\.json .*not valid JSON.*\nhint: ralph plan check/,
  },
  { name: 'a list with two of one id', props: listed(story('A'), story('A')), told: /Duplicate story ID: 'A'/ },
  { name: 'a circle of stories', props: listed(story('A', { dependsOn: ['B'] }), story('B', { dependsOn: ['A'] })), told: /cycle/ },
  { name: 'a story that depends on nobody', props: listed(story('A', { dependsOn: ['Z'] })), told: /'Z'/ },
  { name: 'an approval nobody gave', props: listed(story('A', { passes: true, notes: 'x' })), told: /passes=true but reviewStatus is 'null'/ },
  { name: 'a list that is a link', arrange: linkTheList, told: /symbolic link/ },
  { name: 'two workers', flags: ['--workers', '2'], told: /one after the other, on one branch/ },
  { name: 'a flag for tasks', flags: ['--retry-failed', '2'], told: /--retry-failed is for a plan of tasks/ },
  { name: 'a review that is skipped and capped', flags: ['--skip-review', '--review-cap', '2'], told: /--skip-review turns reviews off/ },
  { name: 'a cap of none', flags: ['--review-cap', '0'], told: /--review-cap must be at least 1/ },
  { name: 'ten reviewers', flags: ['--reviews', '10'], told: /--reviews must be at least 1 and at most 9/ },
  { name: 'both ways to name the list', flags: ['--plan', 'ralph/tasks.json', '--ralph-dir', 'ralph'], told: /either --plan or --ralph-dir/ },
  { name: 'no proof at all', props: { top: { verifyCommands: [] } }, flags: ['--skip-review', '--require-proof'], told: /no verify command/ },
  { name: 'a reviewer that is not there', flags: ['--review-agent', 'nobody-has-this'], told: /nobody-has-this/, code: 4 },
];

function linkTheList(repo: Repo): void {
  repo.git('mv', 'ralph/tasks.json', 'list.json');
  symlinkSync('../list.json', join(repo.path, 'ralph/tasks.json'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'x');
}

describe.concurrent('a start is refused with a hint for', () => {
  it.each(deepRows('what a list or a flag is refused for is told where it is read', ROWS, 8))(
    '$name',
    async ({ props = {}, flags = [], arrange, told, code = 2 }) => {
      await using stage = await openStoriesStage(one, [], props);
      await arrange?.(stage.repo);
      const before = stage.repo.git('rev-parse', 'HEAD');
      const run = await stage.work(...flags);

      expect(run, run.stderr).toMatchObject({ code, result: { stop_reason: 'fatal', exit_code: code } });
      expect(run.stderr).toMatch(LINE);
      expect(run.stderr).toMatch(told);
      expect(stage.calls()).toEqual([]);
      expect(stage.journal()).toEqual([]);
      expect(stage.repo.git('rev-parse', 'HEAD')).toBe(before);
    },
  );

  it('the flags of stories on a plan of tasks', async () => {
    const graph = 'version: "1.0"\nnodes:\n  - {id: A, title: A, priority: 1, status: pending}\nedges: []\n';
    await using stage = await openStoriesStage(one, [], { files: { 'task-graph.yaml': graph } });
    for (const flags of [['--review-cap', '2'], ['--skip-review'], ['--create-branch'], ['--no-hooks'], ['--wait']]) {
      const run = await stage.work('--plan', 'task-graph.yaml', ...flags);
      expect(run, run.stderr).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: --[a-z-]+ is for the stories of a tasks\.json/m) });
    }
  });
});

describe.concurrent('a start', () => {
  it.each([
    ['with --create-branch creates the branch', () => undefined],
    ['with --create-branch checks out an existing branch', ({ repo }: StoriesStage) => repo.git('branch', BRANCH)],
  ])('%s', async (_name, arrange) => {
    await using stage = await openStoriesStage(one, [], { on: 'main' });
    arrange(stage);
    const run = await stage.work('--create-branch');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.repo.git('rev-list', '--count', 'main')).toBe('1');
    expectTidy(stage);
  });

  deepIt('which branch a list is on is tested where git is asked')('uses the list of the new branch, not of the old one', async () => {
    await using stage = await openStoriesStage(one, [], { on: 'main' });
    stage.repo.git('switch', '-q', '-c', BRANCH);
    const list = join(stage.repo.path, 'ralph/tasks.json');
    writeFileSync(list, JSON.stringify({ ...stage.plan(), verifyCommands: ['test -e ralph'] }));
    stage.repo.git('commit', '-qam', 'another proof');
    stage.repo.git('switch', '-q', 'main');
    const run = await stage.work('--create-branch');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, gates: ['test -e ralph'] } });
  });

  it('in a directory with an active run names that run and does not disturb it', async () => {
    await using stage = await openStoriesStage(one, [hangs]);
    const first = stage.begin();
    await stage.made('hangs');
    // The list as an agent leaves it in the middle of its work.
    writeFileSync(join(stage.repo.path, 'half.txt'), 'half');
    writeFileSync(join(stage.repo.path, 'ralph/tasks.json'), '{"userSto');
    const second = await stage.start('work', '--agent', 'true', '--json').ended;
    expect(second.code, second.stderr).toBe(4);
    expect(second.stderr).toContain(`run ${stage.events('run.started')[0]?.['run']} is at work in this directory (pid ${first.child.pid} `);
    first.child.kill('SIGTERM');
    expect(await stage.over(first)).toMatchObject({ result: { done: false } });
    expectTidy(stage);
  });

  it('takes over a marker of a dead loop, and is refused by one of a live loop', async () => {
    await using stage = await openStoriesStage(one);
    const marker = (pid: number) => writeFileSync(join(stage.repo.path, '.ralph-active'), JSON.stringify({ pid, timestamp: new Date().toISOString() }));
    marker(process.ppid);
    const refused = await stage.work();
    expect(refused, refused.stderr).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(new RegExp(`pid ${process.ppid}[\\s\\S]*hint: .*\\.ralph-active`)),
    });
    marker(2 ** 22 + 1);
    expect(await stage.work()).toMatchObject({ code: 0, result: { done: true } });
    expectTidy(stage);
  });

  it('with an approved list starts no agent but proves it', async () => {
    const done = [story('US-001', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' })];
    await using stage = await openStoriesStage(done);
    expect(await stage.work()).toMatchObject({ code: 0, result: { done: true } });
    await stage.repo.write('broken', '');
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'x');
    const red = await stage.work();
    expect(red, red.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, message: expect.stringContaining('test ! -e broken') } });
    expect(stage.calls()).toEqual([]);
    expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
  });
});
