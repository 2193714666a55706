import { describe, expect, it } from 'vitest';
import { gatesRun, play, test } from '../../../test/support/play-on-console.ts';
import { opened } from '../../../test/support/run-events.ts';
import { onStories, shownOfStories as shown } from '../../../test/support/stories-console.ts';
import { asked, recorded, seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { stoppedWith } from '../../../test/support/work-console.ts';
import { notDone, type StopReason } from '../../journal/words/outcome.ts';

const plan = storyPlan(approved('US-001', { reviewCount: 3 }), story('US-002'));
const all = storyPlan(approved('US-001'), approved('US-002', { reviewCount: 5 }));
const completed = notDone('completed', 'All 2 stories are approved', 0);

describe('the end of a run on stories', () => {
  it('when complete says whether the agent had claimed it', () => {
    const line = '[ralph] All stories verified complete via tasks.json (no promise tag).';
    expect(shown([seen(all), stoppedWith({ ...completed, claim: { by: 'task-state', text: 'x' } })])).toContain(`\n${line}\n✓ All 2 stories are approved\n`);
    expect(shown([seen(all), stoppedWith({ ...completed, claim: { by: 'promise', text: 'COMPLETE' } })])).not.toContain(line);
  });

  it('lists approvals at the cap apart from the others', () => {
    const capped = [seen(all), opened(1), turnBegun(1, 'review', 'US-002'), recorded(1, all, { at_cap: true })];
    expect(shown([...capped, stoppedWith(completed)])).toMatch(
      /\n {2}outcome {5}completed \(exit 0\)\n {2}stories {5}2 of 2 approved, 6 reviews\n {2}took {8}\d+s, 1 iteration, .*\n {2}spent .*\n {2}at cap {6}1, with open concerns: US-002\n$/,
    );
  });

  it('after the last iteration uses the words of the seed', () => {
    const text = shown([seen(plan), stoppedWith(notDone('max_iterations', 'x'))]);
    expect(text).toContain('\n[ralph] Max iterations (15) reached without completion.\n');
    expect(text).toMatch(/\n {2}continue {4}ralph work --plan ralph\/tasks.json\n$/);
  });

  it('when only questions remain shows them, and how to continue', () => {
    const text = shown([seen(plan), asked(1, 'US-002', 'Oak or pine?'), stoppedWith(notDone('waiting', 'US-002 needs a decision: Oak or pine?', 3))]);
    expect(text).toMatch(
      /\n {2}outcome {5}waiting \(exit 3\)\n {2}stories .*\n {2}open {8}US-002 needs a decision: Oak or pine\?\n(?: {2}.*\n)* {2}continue {4}ralph answer "…"\n$/,
    );
  });

  it.each<[StopReason, string | null]>([
    ['completed', null],
    ['interrupted', 'ralph runs resume 20260115-044055-abc123'],
    ['rate_limited', 'ralph runs resume 20260115-044055-abc123'],
    ['budget_exhausted', 'ralph work --plan ralph/tasks.json'],
    ['timeout', 'ralph work --plan ralph/tasks.json'],
  ])('after %s says how to continue: %s', (reason, command) => {
    const text = shown([seen(plan), stoppedWith(notDone(reason, 'x'))]);
    if (command === null) expect(text).not.toContain('continue ');
    else expect(text).toMatch(new RegExp(`  continue {4}${command}\\n$`));
  });

  it('before the stories were read has nothing to count', () => {
    expect(shown([stoppedWith(notDone('fatal', 'ralph/tasks.json is no JSON', 2))])).not.toContain('  stories ');
  });

  it('of stories that were complete from the start runs the checks once', () => {
    const [begun, ...rest] = gatesRun(0, [[test, 0]]);
    if (!begun || !('type' in begun) || begun.type !== 'effect.begun' || begun.effect.kind !== 'run-gates') throw new Error('No gates.');
    const atRest = rest.map((moment) => ('type' in moment && moment.type === 'gates.judged' ? { ...moment, where: 'start' as const } : moment));
    const text = shown([seen(all), { ...begun, effect: { ...begun.effect, where: 'start' } }, ...atRest]);
    expect(text).toContain('\nEvery story is finished already: running the checks once\n');
    expect(text).toMatch(/\n🧪 Checks: 1\/1 passed\n$/);
  });

  it('is a few lines with --quiet', () => {
    const text = play([onStories(), seen(plan), stoppedWith(notDone('interrupted', 'Interrupted by SIGINT', 130))], { quiet: true });
    expect(text).toBe(
      'Interrupted by SIGINT\ninterrupted: 1 of 2 stories approved, 3 reviews, 2s, 0 iterations, 0 attempts, cost none\n  continue    ralph runs resume 20260115-044055-abc123\n',
    );
  });
});
