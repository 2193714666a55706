// Deep: scripted agents cover the same attacks; here each runs three times.
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/loop-stage.ts';
import type { ModelRequest } from '../support/model-server/scenario.ts';
import { run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { approval, commits, edits, expectTidy, messages, openStoriesAgent, writes } from '../support/stories-agent.ts';
import { story } from '../support/stories-stage.ts';

const agents = expectRealAgents();

interface Attack {
  readonly what: string;
  readonly turn: string;
  readonly commands: readonly string[];
  /** What it is told at the end of its turn, and by its hooks before that. */
  readonly refused: RegExp;
  readonly blocked: RegExp;
}

const { implement } = messages('US-001');
const SELF_APPROVAL = /Implement iterations cannot set passes=true or approve stories\. Only review iterations may approve\. Story US-001 /;
const DELETION = /Unfinished stories may be split, never deleted: story US-001 is gone\. Put it back; /;

const ATTACKS: readonly Attack[] = [
  {
    what: 'an implementer approves itself',
    turn: 'implement US-001',
    commands: [writes('US-001'), approval('US-001'), commits(implement)],
    refused: SELF_APPROVAL,
    blocked: SELF_APPROVAL,
  },
  {
    what: 'an implementer deletes all stories',
    turn: 'implement US-001',
    commands: [writes('US-001'), edits('plan.userStories = []'), commits(implement)],
    refused: DELETION,
    blocked: DELETION,
  },
];

const WAYS = [
  { way: 'with hooks', flags: [], first: 'true', hooks: true },
  { way: 'without hooks', flags: ['--no-hooks'], first: 'true', hooks: false },
  { way: 'without the marker', flags: [], first: 'rm .ralph-active', hooks: true },
] as const;

/** What is left of one attack: of an agent that insists on it, in one iteration. */
async function attacked({ turn, commands, refused, blocked }: Attack, { flags, first, hooks }: (typeof WAYS)[number]) {
  const before = story('US-001');
  const insists = (_: ModelRequest, index: number) => (index === 0 ? run([first, ...commands].join(' && ')) : say('COMPLETE. <promise>COMPLETE</promise>'));
  await using crew = await openStoriesAgent(agents, { name: 'claude', stories: [before], parts: { [turn]: [insists] } });
  const ended = await crew.work('-n', '1', ...flags);

  expect(ended, `${ended.stderr}\n${crew.told()}`).toMatchObject({ code: 1, result: { stop_reason: 'max_iterations', done: false, tool_errors: 0 } });
  expect(crew.turns().map((each) => each.turn)).toEqual([turn]);
  expect(crew.plan().userStories).toEqual([before]);
  expectTidy(crew);
  const [settled] = eventsOf(ended, 'stories.settled');
  expect(settled).toMatchObject({ move: null, refused: expect.arrayContaining([expect.stringMatching(refused)]) });
  const blocks = eventsOf(ended, 'stop.refused').map(({ let_go }) => let_go);
  expect(blocks).toEqual(hooks ? [false, false, false, true] : []);
  const feedback = crew.turns()[0]?.requests.filter(({ prompt }) => prompt.startsWith('Stop hook feedback:')) ?? [];
  expect(feedback).toHaveLength(blocks.filter((isLetGo) => !isLetGo).length);
  for (const { prompt } of feedback) expect(prompt).toMatch(blocked);
  return {
    tree: crew.repo.git('rev-parse', 'HEAD^{tree}'),
    code: crew.repo.git('ls-tree', '--name-only', 'HEAD', 'US-001.txt'),
    subjects: crew.subjects(),
    refused: settled?.['refused'],
    undone: settled?.['undone'],
    kept: settled?.['kept'] ? crew.repo.git('show', `${settled['kept']}:US-001.txt`) : null,
  };
}

describe.skipIf(agents.missing)('the same comes of it, with hooks, without them and with the marker deleted, when', () => {
  it.each(ATTACKS.map((attack) => [attack.what, attack] as const))('%s', async (_what, attack) => {
    const [hooked, ...others] = await Promise.all(WAYS.map((way) => attacked(attack, way)));
    for (const other of others) expect(other).toEqual(hooked);
    // The work is kept.
    expect(hooked).toMatchObject({ code: 'US-001.txt', undone: [], kept: null });
  });
});
