import { describe, expect, it } from 'vitest';
import { expectTidy, openStoriesStage, story } from '../../support/stories-stage.ts';
import { type Part, works } from '../../support/story-part.ts';

/** The usage limit message of claude, after the agent has written something forbidden. */
const limited: Part = (me) => {
  Object.assign(me.story, { passes: true, reviewStatus: 'approved', reviewCount: 1 });
  me.save();
  const info = { status: 'rejected', resetsAt: Math.ceil(Date.now() / 1000) + 2, rateLimitType: 'five_hour', isUsingOverage: false };
  console.log(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info, session_id: 's' }));
  const result = { type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: "You've hit your session limit", session_id: 's' };
  console.log(JSON.stringify({ ...result, num_turns: 1, total_cost_usd: 0, usage: {} }));
  process.exit(1);
};

describe.concurrent('a usage limit', () => {
  it.each([
    ['implement', []],
    ['review', [works]],
  ] as const)('in %s mode is waited out within the iteration, and files written before it do not count', async (mode, before) => {
    await using stage = await openStoriesStage([story('US-001')], [...before, limited], { claude: true });
    const run = await stage.work('-n', '2');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    const [first, second] = stage.calls().slice(before.length);
    expect([first?.mode, second?.mode]).toEqual([mode, mode]);
    expect(second).toMatchObject({ form: first?.form, dirty: '' });
    expect(stage.events('iteration.closed')).toHaveLength(2);
    expectTidy(stage);
  });
});
