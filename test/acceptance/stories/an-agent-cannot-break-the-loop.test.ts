import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, rejects } from '../../support/story-part.ts';

const one = [story('US-001')];
const two = [story('US-001'), story('US-002', { priority: 2 })];

describe.concurrent('an agent that', () => {
  const forgeries: readonly (readonly [string, string])[] = [
    ['forges the saved list of the loop', '{"kind":"text","text":"{}"}'],
    ['writes garbage into the saved list of the loop', 'rubbish'],
    ['writes a record of another kind there', '{"kind":"approved"}'],
  ];
  it.each(deepRows('what is not as the loop has written it is read in one place', forgeries, 1))(
    '%s approves nothing, and the run goes on',
    async (_name, forged) => {
      const forges: Part = (me) => {
        const folder = `.git/ralph/runs/${process.env['RALPH_RUN_ID']}/iterations/001`;
        for (const attempt of [1, 2]) me.write(`${folder}/stories-after-${attempt}.json`, process.env['RALPH_FORGED'] ?? '');
      };
      await using stage = await openStoriesStage(one, [forges], { env: { RALPH_FORGED: forged } });
      const run = await stage.work();
      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      expect(stage.turns().slice(0, 3)).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
    },
  );

  it('writes a verdict before the review is ignored', async () => {
    const forges: Part = (me) => {
      me.good();
      me.end();
      const approved = { ...me.story, passes: true, reviewStatus: 'approved', reviewCount: 1 };
      const text = JSON.stringify({ ...me.plan, userStories: [approved, me.of('US-002')] });
      const folder = `.git/ralph/runs/${process.env['RALPH_RUN_ID']}/iterations/002`;
      for (const attempt of [1, 2]) me.write(`${folder}/stories-after-${attempt}.json`, JSON.stringify({ kind: 'text', text }));
    };
    await using stage = await openStoriesStage(two, [forges, rejects]);
    await stage.work('-n', '2');
    expect(stage.turns()).toEqual(['implement US-001', 'review US-001']);
    expect(standings(stage.plan())).toMatchObject({ 'US-001': ['changes_requested', false, 1] });
  });

  it.each([
    [
      'a repository without a commit',
      'nested',
      (me) => {
        me.good();
        me.end();
        me.sh('git init -q nested; echo x >nested/x');
      },
    ],
    [
      'a pipe for a file',
      'base.txt',
      (me) => {
        me.good();
        me.end();
        me.sh('rm base.txt; mkfifo base.txt');
      },
    ],
    [
      'a pipe for the list',
      'ralph/tasks.json',
      (me) => {
        me.good();
        me.end();
        me.sh('rm ralph/tasks.json; mkfifo ralph/tasks.json');
      },
    ],
  ] as readonly (readonly [string, string, Part])[])('leaves %s ends its run with what to do, which goes on once that is done', async (_name, path, part) => {
    await using stage = await openStoriesStage(one, [part], { files: { 'base.txt': 'base\n' } });
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({
      result: { done: false },
      stderr: expect.stringMatching(new RegExp(`^error: .*${path}.*\nhint: .*ralph runs resume`, 'm')),
    });
    rmSync(join(stage.repo.path, path), { recursive: true });
    const again = await stage.ralph('runs', 'resume', '--json');
    expect(again, again.stderr).toMatchObject({ code: 0, result: { done: true } });
    expectTidy(stage);
  });

  it('edits the journal ends its run, and nothing is approved', async () => {
    const edits: Part = (me) => {
      Object.assign(me.story, { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' });
      me.end();
      const journal = `.git/ralph/runs/${process.env['RALPH_RUN_ID']}/journal.jsonl`;
      me.write(journal, (me.read(journal) ?? '').replaceAll('"passes":false', '"passes":true '));
    };
    await using stage = await openStoriesStage(two, [edits]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false } });
    expect(run.stderr).toMatch(/^error: The journal .* is not what ralph wrote/m);
    const resumed = await stage.ralph('runs', 'resume', '--json');
    expect(resumed, resumed.stderr).toMatchObject({ code: 4, stderr: expect.stringContaining('is not what ralph wrote') });
    expect(stage.calls()).toHaveLength(1);
    expect(existsSync(join(stage.repo.path, '.ralph-active'))).toBe(false);
  });

  it('breaks git breaks only its own copy, and the work continues', async () => {
    await using stage = await openStoriesStage(two, [
      (me) => {
        me.good();
        me.end();
        me.sh('git config core.bare true');
      },
    ]);
    const run = await stage.work('-n', '3', '--workspace=copy');
    expect(run, run.stderr).toMatchObject({ result: { done: false, sandbox: { workspace: 'copy', refused: [] } } });
    expect(stage.repo.git('config', 'core.bare').trim()).toBe('false');
    expect(Object.values(standings(stage.plan())).map(([, passes]) => passes)).toEqual([true, false]);
  });

  it('is refused by the commit hook is told so, and its files are kept', async () => {
    await using stage = await openStoriesStage(two, [
      (me) => {
        me.good();
        me.save();
      },
      (me) => me.say('I give up.'),
    ]);
    await stage.repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho "no, never" >&2\nexit 1\n', 0o755);
    const run = await stage.work('-n', '2');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false } });
    expect(standings(stage.plan())).toMatchObject({ 'US-001': [null, false, 0] });
    expect(stage.calls()[1]).toMatchObject({ mode: 'implement', dirty: '', prompt: expect.stringMatching(/commit hook: .*no, never/) });
    expect(stage.repo.git('show', 'HEAD:work-1.txt')).toBe('implemented');
    expectTidy(stage);
  });
});
