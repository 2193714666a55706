import { describe, expect, it } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { expectTidy, openStoriesStage, standings, story } from '../../support/stories-stage.ts';
import { type Part, works } from '../../support/story-part.ts';
import { until } from '../../support/until.ts';

const decide: Part = (me) => me.say('I cannot know.\n<promise>DECIDE:red or blue?</promise>');
const blocked: Part = (me) => me.say('<promise>BLOCKED:no key for the API</promise>');
const one = [story('US-001')];
const two = [story('US-001'), story('US-002', { priority: 2 })];

describe.concurrent('an agent that', () => {
  it.each([
    ['wants a decision', decide, 'US-001 needs a decision: red or blue?'],
    ['is blocked', blocked, 'US-001 is blocked: no key for the API'],
  ])('%s ends the run with exit code 3 and its question; the answer continues the run', async (_name, asks, message) => {
    await using stage = await openStoriesStage(one, [asks]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'waiting', done: false, message } });
    expect(run.stderr).toContain(message);
    expectTidy(stage);
    const shown = await stage.ralph('answer');
    expect(shown.stdout).toMatch(/red or blue\?|no key for the API/);

    const answered = await stage.ralph('answer', 'Take blue, the key is in .env');
    expect(answered.code, answered.stderr).toBe(0);
    expect(stage.calls()[1]).toMatchObject({ mode: 'implement', prompt: expect.stringMatching(/red or blue\?|no key/) });
    expect(stage.calls()[1]?.prompt).toContain('Take blue, the key is in .env');
    expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
    expectTidy(stage);
  });

  it('asks does not block other stories, and several questions are answered by story', async () => {
    await using stage = await openStoriesStage([...two, story('US-003', { priority: 3 })], [decide, blocked]);
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'waiting' } });
    expect(stage.turns()).toEqual(['implement US-001', 'implement US-002', 'implement US-003', 'review US-003']);
    expect(standings(stage.plan())).toEqual({ 'US-001': [null, false, 0], 'US-002': [null, false, 0], 'US-003': ['approved', true, 1] });

    expect(await stage.ralph('answer', '--story', 'US-001', '--later', 'Blue.')).toMatchObject({ code: 0 });
    const answered = await stage.ralph('answer', 'The key is k.');
    expect(answered.code, answered.stderr).toBe(0);
    expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1], 'US-002': ['approved', true, 1], 'US-003': ['approved', true, 1] });
    const [first, , second] = stage.calls().slice(4);
    expect(first?.prompt).toContain('Blue.');
    expect(first?.prompt).not.toContain('The key is k.');
    expect(second?.prompt).toContain('The key is k.');
  });

  it('asks with --wait keeps the run waiting', async () => {
    await using stage = await openStoriesStage(one, [decide]);
    const running = stage.begin('--wait');
    await until('it has asked', () => stage.events('question.asked').length === 1, 60_000);
    const answered = await stage.start('answer', 'Blue.').ended;
    expect(answered.code, answered.stderr).toBe(0);
    const run = await stage.over(running);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.calls()[1]?.prompt).toContain('Blue.');
    expectTidy(stage);
  });

  deepIt('what counts as a question is a pure rule, and the other tests ask and answer')('asks during a review gets the answer and reviews again', async () => {
    await using stage = await openStoriesStage(one, [works, decide]);
    expect(await stage.work()).toMatchObject({ code: 3 });
    expect(await stage.ralph('answer', 'Blue.')).toMatchObject({ code: 0 });
    expect(stage.turns()).toEqual(['implement US-001', 'review US-001', 'review US-001']);
    expect(stage.calls()[2]?.prompt).toContain('Blue.');
  });

  deepIt('what counts as a question is a pure rule, and the other tests ask and answer')(
    'asks about a story it has handed in gets the answer before the review',
    async () => {
      await using stage = await openStoriesStage(one, [
        (me) => {
          me.good();
          me.end();
          me.say('<promise>DECIDE:was that right?</promise>');
        },
      ]);
      expect(await stage.work()).toMatchObject({ code: 3, result: { stop_reason: 'waiting' } });
      expect(standings(stage.plan())).toEqual({ 'US-001': ['needs_review', false, 0] });
      expect(await stage.ralph('answer', 'Yes.')).toMatchObject({ code: 0 });
      expect(stage.turns()).toEqual(['implement US-001', 'review US-001']);
    },
  );

  deepIt('what counts as a question is a pure rule, and the other tests ask and answer')(
    'writes an empty question, or one in the middle of a line, asks nothing',
    async () => {
      await using stage = await openStoriesStage(one, [(me) => me.say('<promise>BLOCKED:</promise>\nI could say `<promise>DECIDE:x</promise>` here.')]);
      const run = await stage.work();
      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
      expect(stage.events('question.asked')).toEqual([]);
    },
  );
});
