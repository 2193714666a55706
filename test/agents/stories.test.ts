import { describe, expect, it } from 'vitest';
import { deep } from '../support/deep.ts';
import { eventsOf } from '../support/loop-stage.ts';
import { run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { approval, commits, expectTidy, handsIn, messages, openStoriesAgent, rejectsIt, type StoriesAgent, writes } from '../support/stories-agent.ts';
import { standings, story } from '../support/stories-stage.ts';

const agents = expectRealAgents();

/** What is to be done first is neither the first in the list nor the one with the lowest number. */
const STORIES = [story('US-003', { priority: 0, dependsOn: ['US-002'] }), story('US-002', { dependsOn: ['US-001'] }), story('US-001', { priority: 7 })];
const WHY = 'It has to say that it is mended.';

const TURNS = [
  ...['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001'],
  ...['implement US-002', 'review US-002', 'implement US-003', 'review US-003'],
];
const [FIRST, SECOND, THIRD] = [messages('US-001'), messages('US-002'), messages('US-003')];

/** All that three approved stories leave, whoever has done them. */
function expectApproved(crew: StoriesAgent): void {
  expect(crew.turns().map(({ turn }) => turn)).toEqual(TURNS);
  expect(standings(crew.plan())).toEqual({ 'US-001': ['approved', true, 2], 'US-002': ['approved', true, 1], 'US-003': ['approved', true, 1] });
  expect(crew.plan().userStories.map(({ reviewFeedback, notes }) => [reviewFeedback, notes])).toEqual(
    ['US-003', 'US-002', 'US-001'].map((id) => ['', `Wrote ${id}.txt.`]),
  );
  expect(crew.repo.git('show', 'HEAD:US-001.txt').split('\n')).toEqual(['made', 'mended']);
  expectTidy(crew);
}

describe.skipIf(agents.missing)('three stories that depend on each other', () => {
  it.concurrent('are implemented, reviewed, fixed, reviewed again and approved by the real claude, whose hooks prevent it from approving its own work', async () => {
    const boasts = [
      run([writes('US-002'), approval('US-002'), commits(SECOND.implement)].join(' && ')),
      say('US-002 is done and approved.'),
      run([handsIn('US-002'), commits('fix: leave the approval to a review')].join(' && ')),
      say('Done.'),
    ];
    const parts = { 'review US-001': [rejectsIt(WHY)], 'implement US-002': [boasts] };
    await using crew = await openStoriesAgent(agents, { name: 'claude', stories: STORIES, parts });
    const ended = await crew.work();

    expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({
      code: 0,
      result: { stop_reason: 'completed', done: true, unproven: false, iterations: 8, attempts: 8, stories: { approved: 3, approved_at_cap: [] } },
    });
    expectApproved(crew);
    expect(crew.subjects()).toEqual([
      ...[FIRST.implement, FIRST.rejected, FIRST.fix, FIRST.approved],
      ...[SECOND.implement, 'fix: leave the approval to a review', SECOND.approved, THIRD.implement, THIRD.approved],
    ]);
    expect(crew.turns()[2]?.requests[0]?.prompt).toContain(WHY);

    const asked = crew.turns()[4]?.requests ?? [];
    expect(asked).toHaveLength(4);
    expect(asked[2]?.prompt).toMatch(/^Stop hook feedback:/);
    expect(asked[2]?.prompt).toContain(
      'Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story US-002 had illegal transition: passes false → true.',
    );
    expect(asked[2]?.prompt).toContain('Repair ralph/tasks.json and commit it, then stop.');
    expect(eventsOf(ended, 'stop.refused')).toMatchObject([{ session: crew.turns()[4]?.session, blocks: 1, let_go: false }]);
    expect(eventsOf(ended, 'stories.settled').map(({ refused, undone }) => [refused, undone])).toEqual(TURNS.map(() => [[], []]));
  });

  deep('one of the two agents is enough here', () => {
    it.concurrent('are done by the real codex too, which has no hooks and cannot commit: its loop does it', async () => {
      await using crew = await openStoriesAgent(agents, { name: 'codex', stories: STORIES, parts: { 'review US-001': [rejectsIt(WHY)] } });
      const ended = await crew.work();

      expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({
        code: 0,
        result: { stop_reason: 'completed', done: true, unproven: false, iterations: 8, attempts: 8, stories: { approved: 3, approved_at_cap: [] } },
      });
      expectApproved(crew);
      expect(crew.told().match(/^fatal: .*Read-only file system$/gm)).toHaveLength(4);
      expect(crew.subjects()).toEqual([
        ...[FIRST.implement, FIRST.rejected, FIRST.fix, FIRST.approved],
        ...[SECOND.implement, SECOND.approved, THIRD.implement, THIRD.approved],
      ]);
      expect(eventsOf(ended, 'stories.settled').map(({ refused, undone }) => [refused, undone])).toEqual(TURNS.map(() => [[], []]));
    });
  });
});

deep('what a reviewer is told is held with scripted agents', () => {
  describe.skipIf(agents.missing)('what the author of a story has thought, said and seen', () => {
    const SECRET = 'The walrus has left the third drawer open.';

    it.concurrent.each(['claude', 'codex'] as const)('is in no request of its reviewer: %s', async (name) => {
      const tells = [
        { ...run(`echo '${SECRET}' | tee /dev/stderr`, `I note: ${SECRET}`), thinking: SECRET },
        run([writes('US-001'), handsIn('US-001'), commits(FIRST.implement)].join(' && ')),
        { ...say(`Done. ${SECRET}`), thinking: SECRET },
      ];
      const parts = { 'implement US-001': [tells] };
      await using crew = await openStoriesAgent(agents, { name, stories: [story('US-001')], parts });
      const ended = await crew.work();

      expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 2 } });
      const [author, reviewer] = crew.turns();
      // What it has thought, said, run and seen.
      const known = author?.requests.at(-1)?.body.split(SECRET) ?? [];
      expect(known.length - 1).toBeGreaterThanOrEqual(name === 'claude' ? 4 : 3);
      expect(reviewer?.turn).toBe('review US-001');
      expect(reviewer?.session).not.toBe(author?.session);
      expect(reviewer?.requests).toHaveLength(1);
      for (const { body, headers } of reviewer?.requests ?? []) {
        expect(body).not.toContain('walrus');
        expect(body).not.toContain(author?.session);
        expect(JSON.stringify(headers)).not.toContain(author?.session);
      }
      // The changes it was given are those of the story, and it was told what the checks said.
      expect(reviewer?.requests[0]?.prompt).toContain('\n+made\n');
      expect(reviewer?.requests[0]?.prompt).toMatch(/grep -ls broken US-\*\.txt`+ is green/);
    });
  });
});
