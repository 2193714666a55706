// Deep: scripted agents cover signals.
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/loop-stage.ts';
import { run } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { approval, expectTidy, openStoriesAgent, writes } from '../support/stories-agent.ts';
import { standings, story } from '../support/stories-stage.ts';

const agents = expectRealAgents();

describe.skipIf(agents.missing)('Ctrl-C while the real claude works on a story', () => {
  it('stops it, leaves a valid list, keeps its files, and ralph runs resume completes the run', async () => {
    const begins = [run([writes('US-001', 'half'), approval('US-001'), ': >../beside/busy', 'sleep 6000'].join(' && '))];
    await using crew = await openStoriesAgent(agents, { name: 'claude', stories: [story('US-001')], parts: { 'implement US-001': [begins] } });
    const running = crew.begin();
    await crew.made('busy');
    running.child.kill('SIGINT');
    const stopped = await crew.over(running);

    expect(stopped, `${stopped.stderr}\n${crew.told()}`).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false } });
    expect(crew.plan().userStories).toEqual([story('US-001')]);
    expectTidy(crew);

    const resumed = await crew.ralph('runs', 'resume', '--json');
    expect(resumed, `${resumed.stderr}\n${crew.told()}`).toMatchObject({
      code: 0,
      result: { run_id: stopped.result?.run_id, stop_reason: 'completed', done: true },
    });
    expect(crew.turns().map(({ turn }) => turn)).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
    expect(standings(crew.plan())).toEqual({ 'US-001': ['approved', true, 1] });
    expect(crew.repo.git('show', 'HEAD:US-001.txt').split('\n')).toEqual(['half', 'made']);
    expect(eventsOf(resumed, 'run.stopped')).toHaveLength(2);
  });
});
