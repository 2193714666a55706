import { describe, expect, it } from 'vitest';
import { expectScreen } from '../../../test/support/expected-screen.ts';
import { gatesRun, looking, play, say, test } from '../../../test/support/play-on-console.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { onStories, shownOfStories as shown } from '../../../test/support/stories-console.ts';
import { answered, asked, move, recorded, seen, stopRefused, turn, turnAgentBegun, turnBegun, turnSettled } from '../../../test/support/stories-journal.ts';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { type Played, stoppedWith } from '../../../test/support/work-console.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';

const one = story('US-001', { title: 'A door' });
const ready = story('US-001', { title: 'A door', reviewStatus: 'needs_review' });
const sentBack = story('US-001', { title: 'A door', reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'It squeaks\nand sticks' });
const good = approved('US-001', { title: 'A door', reviewCount: 2 });
const two = approved('US-002');
const plan = storyPlan(one, two);

const done = stoppedWith({ ...notDone('completed', 'All 2 stories are approved', 0), claim: { by: 'promise', text: 'COMPLETE' } });

const eventful: Played = [
  seen(plan),
  opened(1),
  turnBegun(1, 'implement', 'US-001'),
  turnAgentBegun(1, 'implement', one),
  say('I look around.'),
  ended(1, { duration_ms: 56_400 }),
  turnSettled(1, move('US-001', 'implemented'), {
    accepted: ['US-003 was added'],
    refused: ["Story 'US-002' was deleted: it is back", 'US-001 said that it passes'],
    undone: ['ralph/prd.md'],
    kept: 'refs/ralph/kept/r/1',
    commit: 'abc1234def',
  }),
  ...gatesRun(1, [[test, 0]]),
  recorded(1, storyPlan(ready, two)),
  closed(1, { result: 'red' }),
  seen(storyPlan(ready, two), { changes: ['US-002: title changed'] }),
  opened(2),
  turnBegun(2, 'review', 'US-001'),
  turnAgentBegun(2, 'review', ready),
  ended(2, { role: 'review', claim: { by: 'promise', text: 'COMPLETE' } }),
  turnSettled(2, move('US-001', 'changes_requested', 'It squeaks')),
  recorded(2, storyPlan(sentBack, two)),
  closed(2, { result: 'green', claim: { by: 'promise', text: 'COMPLETE' } }),
  ...turn(3, 'review-fix', { before: sentBack, after: { ...ready, reviewCount: 1 } }, storyPlan({ ...ready, reviewCount: 1 }, two)),
  ...turn(4, 'review', { before: { ...ready, reviewCount: 1 }, after: good }, storyPlan(good, two)),
  done,
];

describe('the screen of a run on stories', () => {
  it('matches the approved one', () => {
    expectScreen('stories', play([onStories({ hooks: true }), ...eventful]));
  });

  it('matches the approved one in plain text', () => {
    const text = play([onStories({}, looking({ emoji: false })), ...eventful]);
    expect(text).toContain(`\n${'='.repeat(60)}\n  Iteration 2 of 15\n  Mode: review\n  Story: US-001  A door\n  Review: 1 of 5\n${'='.repeat(60)}\n`);
    expect(text).not.toMatch(/\p{Extended_Pictographic}/u);
  });

  it('shows the settings before anything costs money', () => {
    const reviewAgent: AgentSpec = { kind: 'codex', command: 'codex', flags: ['--x'], model: 'm', autonomy: 'full' };
    const banner = play([onStories({ reviewers: 2, reviewCap: 3, failOnCap: true, reviewAgent, hooks: true })], { verbose: true });
    expect(banner).toContain(', ralph/tasks.json on branch ralph/demo\n  agent ');
    expect(banner).toContain('\n  mode        direct, in this work tree and without a sandbox\n  skip review no\n');
    expect(banner).toContain(
      '\n  review cap  3, and a story approved at the cap counts as a failure\n  reviewers   2, all must approve\n  reviewed by codex --x (model m)\n  hooks       on\n',
    );
    expect(banner).toContain('\n  done when   every story passes and is approved, every check is green on it, and all is committed\n');
  });

  it('says that reviews are off, and what proves a story then', () => {
    const banner = play([onStories({ skipReview: true }, { gates: [] })], { verbose: true });
    expect(banner).toContain('  checks      none. UNPROVEN: nothing checks a story; add verifyCommands to tasks.json, or --check "npm test"\n');
    expect(banner).toContain('  skip review yes, a story is finished as soon as its checks are green\n  hooks');
    expect(banner).not.toContain('review cap');
  });

  it('estimates the cost of the stories, and warns when it exceeds the limit', () => {
    const five = storyPlan(...['a', 'b', 'c', 'd', 'e'].map((id) => story(id)));
    const text = shown([seen(five)], {}, { maximumIterations: 10 });
    expect(text).toBe(
      ['  stories     0 of 5 approved; 5 stories × ~3 iterations each = ~15 iterations needed', '⚠️ That is more than this run allows: use -n 15.', ''].join(
        '\n',
      ),
    );
    expect(shown([seen(five)])).not.toContain('That is more');
    expect(shown([seen(five), seen(five)])).toBe(shown([seen(five)]));
  });

  it('continues with what it knows after a resume', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0.1.0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };
    const text = shown([seen(plan), resumed, seen(plan, { changes: ['US-002: title changed'] })]);
    expect(text).toContain(', ralph/tasks.json on branch ralph/demo\n  resumed ');
    expect(text.match(/1 of 2 approved/g)).toHaveLength(2);
    expect(text).toMatch(/\n→ Changed: US-002: title changed\n$/);
  });
});

describe('a turn on the screen', () => {
  const begun = (mode: 'implement' | 'review' = 'implement', of = 1): Played => [
    seen(plan),
    opened(1),
    turnBegun(1, mode, 'US-001'),
    turnAgentBegun(1, mode, one, { of }),
  ];

  it.each(['implement', 'review'] as const)('is retried after an empty answer in mode %s', (mode) => {
    const role = mode === 'review' ? 'review' : 'work';
    const empty = (attempt: number) => ended(1, { attempt, role, verdict: 'empty', why: 'the agent ended without a word' });
    const text = shown([
      ...begun(mode),
      empty(1),
      turnAgentBegun(1, mode, one, { attempt: 2 }),
      empty(2),
      turnAgentBegun(1, mode, one, { attempt: 3 }),
      empty(3),
    ]);
    expect(text).toContain('\n[ralph] Empty response — retrying iteration 1 (attempt 2)\n\nAttempt 2 of iteration 1\n');
    expect(text).toContain('\n[ralph] Empty response — retrying iteration 1 (attempt 3)\n');
    expect(text).toContain('The agent ended without a word. No further attempt.\n');
  });

  it('names the reviewer when there are several', () => {
    const text = shown([...begun('review', 2), ended(1, { role: 'review' }), turnAgentBegun(1, 'review', one, { attempt: 2, of: 2, number: 2 })]);
    expect(text).toContain('\nReviewer 1 of 2\n');
    expect(text).toContain('\nReviewer 2 of 2\n');
  });

  it('says why a claim does not count', () => {
    const claim = { by: 'promise', text: 'COMPLETE' } as const;
    const text = shown([...begun(), ended(1, { claim }), turnSettled(1, null), recorded(1, plan, { moved: false }), closed(1, { claim })]);
    expect(text).toContain('\n[ralph] Completion signal detected. Verifying tasks.json...\n');
    expect(text).toMatch(
      /\n→ US-001 unchanged: the agent reported no progress: it did not set reviewStatus to "needs_review" in ralph\/tasks\.json.*\n\[ralph\] WARNING: Promise tag found but tasks.json verification failed.\n$/,
    );
  });

  it('shows its checks in every mode, and that a story does not advance when they are red', () => {
    const text = shown([
      ...begun('review'),
      ended(1, { role: 'review' }),
      turnSettled(1, move('US-001', 'approved')),
      ...gatesRun(1, [[test, 1]]),
      recorded(1, plan, { moved: false }),
    ]);
    expect(text).toContain('\n🧪 Checks: 0/1 passed\n→ US-001 unchanged: the checks are red\n');
  });

  it.each<[string, Partial<Parameters<typeof story>[1]>, boolean, string]>([
    ['approved', { reviewStatus: 'approved', passes: true, reviewCount: 2 }, false, '✓ US-001 approved (review 2 of 5)  2 of 2 stories approved'],
    [
      'sent back',
      { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: '\n It squeaks\nand sticks' },
      false,
      '✗ US-001 changes requested (review 1 of 5): It squeaks  1 of 2 stories approved',
    ],
    [
      'approved at the cap',
      { reviewStatus: 'approved', passes: true, reviewCount: 5, reviewFeedback: '[AUTO-APPROVED AT CAP] It squeaks' },
      true,
      '⚠️ US-001 auto-approved at cap (review 5 of 5): It squeaks  2 of 2 stories approved',
    ],
  ])('of a reviewer reports that a story is %s', (_name, over, at_cap, line) => {
    const text = shown([...begun('review'), ended(1, { role: 'review' }), recorded(1, storyPlan(story('US-001', over), two), { at_cap })]);
    expect(text.split('\n').at(-2)).toBe(line);
  });

  it('reports a story that passes when reviews are off', () => {
    const passes = story('US-001', { passes: true });
    expect(shown([...begun(), ended(1), recorded(1, storyPlan(passes, two))], { skipReview: true })).toMatch(/\n✓ US-001 passes {2}2 of 2 stories pass\n$/);
  });

  it('is not called red when it was abandoned', () => {
    expect(shown([...begun(), closed(1, { result: 'abandoned' })])).toMatch(/\nIteration 1 was left unfinished.\n$/);
  });

  it('shows markup and escapes as plain text', () => {
    const odd = story('US\u001b[2J"\n🦊', { title: 'a\u001b]0;owned\u0007b\r\nc \u202e d' });
    const text = shown([
      seen(storyPlan(odd)),
      opened(1),
      turnBegun(1, 'review', odd.id),
      turnSettled(1, move(odd.id, 'approved'), { refused: ['a\u001b[2J\nb'], undone: ['c\u001b[1A'] }),
      asked(1, odd.id, 'd\u001b[2J\ne'),
      recorded(1, storyPlan(odd)),
    ]);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  });
});

describe('the talk between a person and an agent', () => {
  it('is shown with how to answer', () => {
    const text = shown([seen(plan), opened(1), turnBegun(1, 'implement', 'US-001'), asked(1, 'US-001', 'Oak or pine?'), answered('Oak\nof course')]);
    expect(text).toMatch(
      /\n\n⏸ US-001 needs a decision: Oak or pine\?\n {2}⎿ {2}answer it with: ralph answer --run \S+ --task US-001 "…"\n→ Answered by ada: Oak\n$/,
    );
    expect(shown([seen(plan), asked(1, 'US-001', 'no key', 'blocked')])).toContain('⏸ US-001 is blocked: no key\n');
  });

  it('includes, once, that the list cannot be read', () => {
    const broken = seen(null, { problem: 'is no JSON' });
    expect(shown([broken, broken])).toBe('⚠️ The stories cannot be worked on: is no JSON (looking again)\n');
  });

  it('leaves out stops that a hook refused, until one is allowed', () => {
    expect(shown([stopRefused()])).toBe('');
    expect(play([onStories(), stopRefused()], { verbose: true })).toContain('[ralph] Stop refused (1 in a row): Task list validation failed: no\n');
    expect(shown([stopRefused({ blocks: 3, let_go: true })])).toBe(
      '⚠️ The agent was kept from stopping 3 times and may stop now, although: Task list validation failed: no\n',
    );
  });
});
